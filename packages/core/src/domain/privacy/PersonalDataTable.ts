import { SchemaAST } from "effect"
import { type Column, columnsOf, type ColumnType } from "../Column.ts"
import { type FieldSchema, type Noun, nullable } from "../Field.ts"
import { isJson, type Json } from "../text/Json.ts"

/** The relation between a row and its contact. */
export type Belonging =
  /** One of these columns contains the contact's id. */
  | { readonly by: "contact"; readonly columns: ReadonlyArray<string> }
  /** The column contains the id of one of the contact's messages, threads or signals. */
  | { readonly by: "message"; readonly column: string; readonly field: "message_id" | "thread_id" | "signal_id" }
  /** The column contains the id of one of the contact's leads. */
  | { readonly by: "lead"; readonly column: string }
  /** The column contains the id of one of the contact's tasks. */
  | { readonly by: "task"; readonly column: string }
  /** The column contains the id of a merge that involved the contact. */
  | { readonly by: "merge"; readonly column: string }
  /** The row belongs to the tenant and to no contact. Only the archive of the whole tenant contains it. */
  | { readonly by: "tenant" }
  /** The column contains an address or number of the contact. */
  | { readonly by: "address"; readonly column: string }

/** One table of the data inventory, with its rules for export, import and erasure. */
export interface PersonalDataTable {
  /** The name of the table. */
  readonly name: string
  /**
   * The folder in archives and the name in receipts, if it differs from the table's name. Version 1 of the archive
   * format and the hash of a receipt are frozen, so a renamed table keeps its first name in both.
   */
  readonly folder?: string
  /** The columns that identify a row within its tenant. Rows are read in the order of these columns. */
  readonly key: ReadonlyArray<string>
  /** All columns except `tenant_id`. For a table that is not exported, only the key columns. */
  readonly columns: Readonly<Record<string, ColumnType>>
  /** The schemas of the columns that contain JSON, or whose values must come from a fixed list. */
  readonly schemas: Readonly<Record<string, FieldSchema>>
  /**
   * The values of columns that are missing in archives of earlier versions. A missing nullable column needs no entry.
   */
  readonly absent: Readonly<Record<string, Json>>
  readonly belongs: Belonging
  /** Null for an exported table; otherwise the reason why it is not exported. */
  readonly excludedBecause: string | null
  /**
   * The columns in which an existing row must equal an imported row with the same key. If they are equal, the existing
   * row stays, because its other columns may have changed since the export.
   */
  readonly same: ReadonlyArray<string>
  /** Columns with long texts, which limit the size of a page. */
  readonly long: ReadonlyArray<string>
  /**
   * The columns that order the rows of one contact. Their values never change, and the last columns are the key. An
   * index contains the contact and then these columns, so that reading a page always takes the same time. Null if no
   * such index exists. The export then sorts the remaining keys once for every `maxKeysPerPass` rows.
   */
  readonly walk: ReadonlyArray<string> | null
}

/** Returns the name of a table in archives, import reports and receipts. */
export const folderOf = ({ folder, name }: Pick<PersonalDataTable, "folder" | "name">): string => folder ?? name

/** The defaults of an exported table. */
export const exportable = { excludedBecause: null, same: [], long: [], walk: null, schemas: {}, absent: {} }

/** The relation of a table whose rows contain the contact's id. */
export const ofContact: Belonging = { by: "contact", columns: ["contact_id"] }

/** The parts of a table's entry that are derived from its noun. */
type Derived = Pick<PersonalDataTable, "absent" | "columns" | "schemas">

/** Returns whether the schema of a column restricts its values further than the column type does. */
const isClosed = ({ schema, type }: Column): boolean => {
  const { ast } = nullable(schema.ast)
  return type.startsWith("json") || SchemaAST.isUnion(ast) || SchemaAST.isLiteral(ast)
}

/**
 * Derives the columns of a noun's table. The annotation `whenAbsent` of a field is the field's value in archives of
 * earlier versions that lack the field.
 */
export const ofNoun = (noun: Noun): Derived => {
  const columns = columnsOf(noun).filter(({ name }) => name !== "tenant_id")
  return {
    columns: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
    schemas: Object.fromEntries(columns.filter(isClosed).map(({ name, schema }) => [name, schema])),
    absent: Object.fromEntries(
      columns.flatMap(({ name, schema }) => {
        const value = SchemaAST.resolve(schema.ast)?.["whenAbsent"]
        return isJson(value) ? [[name, value]] : []
      })
    )
  }
}
