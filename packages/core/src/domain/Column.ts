import { SchemaAST } from "effect"
import { type FieldOf, type FieldSchema, fieldNames, isTime, type Noun, nullable, snakeCase } from "./Field.ts"

type Required = "text" | "integer" | "time" | "flag" | "json"

/** The type of a column. `?` marks nullable columns. Times are epoch milliseconds, flags are 0 and 1, JSON is text. */
export type ColumnType = Required | `${Required}?`

/** The column of a field of a noun. */
export interface Column<Field extends string = string> {
  readonly field: Field
  readonly name: string
  readonly type: ColumnType
  readonly schema: FieldSchema
}

const isText = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isString(ast) ||
  SchemaAST.isTemplateLiteral(ast) ||
  (SchemaAST.isLiteral(ast) && typeof ast.literal === "string")

const typeOf = (ast: SchemaAST.AST): Required => {
  if (isText(ast)) return "text"
  if (SchemaAST.isNumber(ast)) return isTime(ast) ? "time" : "integer"
  if (SchemaAST.isBoolean(ast)) return "flag"
  return SchemaAST.isUnion(ast) && ast.types.every((type) => SchemaAST.isNull(type) || isText(type)) ? "text" : "json"
}

/** Returns the name of a column: the annotation `column` of the field, or the name of the field in snake case. */
const nameOf = (field: string, ast: SchemaAST.AST): string => {
  const name = SchemaAST.resolve(ast)?.["column"]
  return typeof name === "string" ? name : snakeCase(field)
}

/** Derives the columns of a noun from its schema. Arrays, records and structs become JSON. */
export const columnsOf = <N extends Noun>(noun: N): ReadonlyArray<Column<FieldOf<N>>> =>
  fieldNames(noun).flatMap((field) => {
    const schema = noun.fields[field]
    if (schema === undefined) return []
    const { ast, isNullable } = nullable(schema.ast)
    const type = typeOf(ast)
    return [{ field, name: nameOf(field, schema.ast), type: isNullable ? `${type}?` : type, schema } as const]
  })
