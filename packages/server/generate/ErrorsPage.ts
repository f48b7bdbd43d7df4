import * as errors from "@leadloom/api/internal/errors"
import { envelopeTexts } from "@leadloom/api/internal/ErrorTexts"
import { type ErrorCode, errorAdvice } from "./ErrorNotes.ts"
import { cell, markdownTable } from "./MarkdownTable.ts"
import { type JsonSchema, type Operation, operations, resolveSchema, schemas } from "./OpenApi.ts"

interface ErrorEntry {
  readonly code: ErrorCode
  readonly status: string
  readonly meaning: string
  readonly operations: ReadonlyArray<string>
}

/** The operations of a code are listed only if they are few. Most codes are possible everywhere. */
const maxListedOperations = 12

const codesOf = (schema: JsonSchema): ReadonlyArray<string> => {
  const { anyOf, properties } = resolveSchema(schema)
  if (anyOf !== undefined) return anyOf.flatMap(codesOf)
  const values = properties?.["error"]?.properties?.["code"]?.enum ?? []
  return values.map(String)
}

const statusesOf = ({ responses }: Operation): ReadonlyArray<readonly [code: string, status: string]> =>
  Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content)
      .flatMap(({ schema = {} }) => codesOf(schema))
      .map((code) => [code, status] as const)
  )

const returned = operations.map((operation) => ({ id: operation.operationId, codes: new Map(statusesOf(operation)) }))

const meaningOf = (code: string): string =>
  Object.values(schemas).find((schema) => codesOf(schema)[0] === code)?.description ?? ""

/** The codes without an endpoint of their own: the HTTP layer sends them. */
const transportStatus = (code: string): string =>
  Object.entries(errors.transportCodes).find(([, one]) => one === code)?.[0] ?? ""

const entryOf = (code: ErrorCode): ErrorEntry => {
  const found = returned.filter(({ codes }) => codes.has(code))
  return {
    code,
    status: found[0]?.codes.get(code) ?? transportStatus(code),
    meaning: meaningOf(code),
    operations: found.map(({ id }) => id).toSorted()
  }
}

const section = ({ code, meaning, operations: from, status }: ErrorEntry): ReadonlyArray<string> => {
  const names = [...new Set(from)].map((name) => `\`${name}\``)
  const returnedBy = names.length > maxListedOperations ? "" : ` Returned by ${names.join(", ")}.`
  return [
    `## ${code}`,
    "",
    `Status ${status}. ${meaning}.${returnedBy}`,
    "",
    `**What to do:** ${errorAdvice[code]}`,
    ""
  ]
}

const codes = Object.keys(errorAdvice) as ReadonlyArray<ErrorCode>

const byStatus = (a: ErrorEntry, b: ErrorEntry): number =>
  Number(a.status) - Number(b.status) || (a.code < b.code ? -1 : 1)

/** Returns the reference of error codes, `docs/reference/errors.md`. */
export const errorsPage = (): string => {
  const entries = codes.map(entryOf).toSorted(byStatus)
  return [
    "# Errors",
    "",
    "Generated from `packages/api/openapi.json` and `packages/server/generate/ErrorNotes.ts` by `npm run generate`. Do not edit.",
    "",
    "A failed request has this body:",
    "",
    "```json",
    JSON.stringify({ error: { code: "NOT_FOUND", message: "There is no such lead." } }, null, 2),
    "```",
    "",
    `- \`code\`: ${envelopeTexts.code}.`,
    `- \`message\`: ${envelopeTexts.message}.`,
    `- \`details\`: ${envelopeTexts.details}. Absent if there are none.`,
    "",
    "Every response has the header `X-Request-Id`. The client has one error class and checks codes with `isLeadloomError`. The",
    "client repeats requests that failed with 408, 429, 502, 503 or 504 if a repetition is safe. The standalone actions below",
    '`/api/v1/actions/automation` have another body, `{ "success": false, "error": "…" }` with status 400.',
    "",
    ...markdownTable(
      ["status", "code", "meaning"],
      entries.map(({ code, meaning, status }) => [status, `[\`${code}\`](#${code.toLowerCase()})`, cell(meaning)])
    ),
    "",
    ...entries.flatMap(section)
  ].join("\n")
}
