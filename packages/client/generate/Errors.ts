import type { Document, JsonSchema } from "./Document.ts"
import { codesOfError, errorCodesOf, type Method } from "./Methods.ts"
import { typeText } from "./TypeText.ts"

/** The codes of the client's own errors, which no response contains. */
const ownCodes = ["NETWORK_ERROR", "TIMEOUT", "UNEXPECTED_RESPONSE"]

const detailsOf = (schema: JsonSchema): JsonSchema | null =>
  schema.properties?.["error"]?.properties?.["details"] ?? null

const union = (codes: ReadonlyArray<string>): string => codes.map((code) => JSON.stringify(code)).join(" | ")

/** Renders the codes of the contract, the types of their details, and the codes of each operation. */
export const renderErrors = (document: Document, methods: ReadonlyArray<Method>): ReadonlyArray<string> => {
  const schemas = Object.values(document.components.schemas)
  const codes = [...new Set([...schemas.flatMap(codesOfError), ...ownCodes])].toSorted()
  const details = schemas
    .flatMap((schema) => {
      const found = detailsOf(schema)
      return found === null ? [] : codesOfError(schema).map((code) => `  readonly ${code}: ${typeText(found)}\n`)
    })
    .toSorted()
  const byGroup = Map.groupBy(methods, ({ group }) => group)
  const groups = [...byGroup].map(([group, own]) => {
    const lines = own.map((method) => `    readonly ${method.name}: ${union(errorCodesOf(document, method))}\n`)
    return `  readonly ${group}: {\n${lines.join("")}  }\n`
  })
  return [
    `/** The error code. A newer server may use codes that are not listed here. */\nexport type ErrorCode =\n${codes.map((code) => `  | ${JSON.stringify(code)}\n`).join("")}  | (string & {})\n`,
    `/** The type of \`details\` by error code. Some errors have no details. */\nexport interface DetailsByCode {\n${[...new Set(details)].join("")}}\n`,
    `/** The error codes that the responses of each operation declare. */\nexport interface OperationErrors {\n${groups.join("")}}\n`
  ]
}
