import { type Cause, describeReason, Reason, reasonGroups } from "@leadloom/core/internal/domain/reason/Reason"
import type { ReasonFields } from "@leadloom/core/internal/domain/reason/ReasonEntry"
import { Schema } from "effect"
import { reasonNotes } from "./ReasonNotes.ts"

interface Entry {
  readonly fields: ReasonFields
}

const cause: Cause = { code: "contains_link" }

/** A number that occurs in no text, for a parameter at a position. */
const numberAt = (position: number): number => 1_000_001 + position

/** Returns the text of a reason with the names of its parameters in braces. */
const template = (code: string, fields: ReasonFields): string => {
  const parameters = Object.entries(fields).map(([name, schema], position) => {
    const values = [`{${name}}`, numberAt(position), cause, [cause]]
    return [name, values.find((value) => Schema.is(schema)(value))] as const
  })
  const text = describeReason(Schema.decodeUnknownSync(Reason)({ code, ...Object.fromEntries(parameters) }))
  return parameters.reduce(
    (filled, [name], position) =>
      filled
        .replace(String(numberAt(position)), `{${name}}`)
        .replace(new Date(numberAt(position)).toISOString(), `{${name}}`),
    text.replace(describeReason(cause), fields["because"] === undefined ? describeReason(cause) : "{because}")
  )
}

const notes = new Map(Object.entries(reasonNotes))

const row = ([code, { fields }]: readonly [string, Entry]): string =>
  `| \`${code}\` | ${[template(code, fields), ...(notes.get(code) ?? [])].join(" | ")} |`

const section = ([title, entries]: readonly [string, Readonly<Record<string, Entry>>]): string =>
  [
    `## ${title}`,
    "",
    "| code | text | meaning | what to do |",
    "|---|---|---|---|",
    ...Object.entries(entries).map(row),
    ""
  ].join("\n")

/** Returns the reference of reasons, `docs/reference/reasons.md`. */
export const reasonsPage = (): string =>
  [
    "# Reasons",
    "",
    "Generated from `packages/core/src/domain/reason/ReasonList.ts` by `npm run generate`. Do not edit.",
    "",
    "These reasons explain why a message was answered, drafted, held or ignored. `leadloom explain`, the API and logs show",
    "the text. A stored run also has the code and the parameters, and a replay compares those. Parameters are in braces.",
    "`packages/core/src/domain/reply/DecideReply.ts` decides.",
    "",
    "A message without a run has no reason. The server stores such messages and decides nothing: imported history, messages",
    "of the tenant, and texts with a keyword such as STOP.",
    "",
    ...Object.entries(reasonGroups).map(section)
  ].join("\n")
