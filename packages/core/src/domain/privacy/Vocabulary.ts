import { Result, Schema, SchemaAST, SchemaIssue } from "effect"
import { type FieldSchema, nullable } from "../Field.ts"
import { dataInventory } from "./DataInventory.ts"
import type { PersonalDataTable } from "./PersonalDataTable.ts"
import type { Row } from "./Record.ts"

/** Returns the first error in a row, or null. */
type Check = (row: Row) => string | null

/** Returns the words that a schema allows; null if the schema also allows other values. */
const wordsOf = (schema: FieldSchema): ReadonlyArray<string> | null => {
  const { ast } = nullable(schema.ast)
  const members = SchemaAST.isUnion(ast) ? ast.types : [ast]
  const words = members.flatMap((member) => (SchemaAST.isLiteral(member) ? [String(member.literal)] : []))
  return words.length === members.length ? words : null
}

const wordCheck =
  (column: string, words: ReadonlyArray<string>): Check =>
  ({ [column]: value }) =>
    typeof value === "string" && !words.includes(value)
      ? `has an unknown ${column}; known values are ${words.join(", ")}`
      : null

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const stepOf = (step: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof step === "object" ? step.key : step)

/** Creates a check of the JSON in a column. The error names the path of the invalid value. */
const shapeCheck = (column: string, shape: FieldSchema): Check => {
  const read = Schema.decodeUnknownResult(shape, { errors: "first", onExcessProperty: "error" })
  return ({ [column]: value = null }) => {
    const result = read(value)
    if (Result.isSuccess(result)) return null
    const [issue] = format(result.failure.issue).issues
    const place = [column, ...(issue?.path ?? []).map(stepOf)].join(".")
    return `has an invalid value in ${place}: ${issue?.message ?? "it cannot be decoded"}`
  }
}

const checks = new Map(
  dataInventory.map(({ name, schemas }) => [
    name,
    Object.entries(schemas).map(([column, schema]) => {
      const words = wordsOf(schema)
      return words === null ? shapeCheck(column, schema) : wordCheck(column, words)
    })
  ])
)

/**
 * Returns the first error in a row: a value that this program could not have written. Returns null if there is none.
 */
export const unknownValuesIn = ({ name }: Pick<PersonalDataTable, "name">, row: Row): string | null => {
  for (const check of checks.get(name) ?? []) {
    const violation = check(row)
    if (violation !== null) return violation
  }
  return null
}
