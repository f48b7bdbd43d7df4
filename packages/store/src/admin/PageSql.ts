import type { CatalogTable } from "./Catalog.ts"
import { pageBytes, pageRows, type Range } from "./CopyEndpoint.ts"

/** The SQL expressions of a dialect that a page needs. */
export interface CopyDialect {
  /** Returns the placeholder for a parameter of a column. The number of the first parameter is 1. */
  readonly param: (table: CatalogTable, column: string, number: number) => string
  /** Returns an expression for the size of a column in bytes, which the database computes without loading the value. */
  readonly size: (table: CatalogTable, column: string) => string
  readonly asText: (column: string) => string
}

/** Quotes a column name, which may be a reserved word. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const names = (columns: ReadonlyArray<string>): string => columns.map(quoted).join(", ")

const key = ({ columns, keyLength }: CatalogTable): ReadonlyArray<string> => columns.slice(0, keyLength)

/** Returns a comparison of rows with a key. The parameters of the key are numbered from `first`. */
const compared = (words: CopyDialect, table: CatalogTable, operator: ">" | "<=", first: number): string => {
  const columns = key(table)
  const params = columns.map((column, index) => words.param(table, column, first + index))
  return `(${names(columns)}) ${operator} (${params.join(", ")})`
}

/**
 * Returns a statement that selects the page after a key, or the first page. It adds up the sizes of the rows before it
 * loads them, so a page with long mails has few rows.
 */
export const pageSql = (words: CopyDialect, table: CatalogTable, isFirst: boolean): string => {
  const order = names(key(table))
  const size = table.columns.map((column) => `coalesce(${words.size(table, column)}, 0)`).join(" + ")
  const shown = table.columns.map((column) => words.asText(`page.${quoted(column)}`)).join(", ")
  const where = isFirst ? "" : `WHERE ${compared(words, table, ">", 1)}`
  const begin = `SELECT *, ${size} AS own_bytes FROM ${quoted(table.name)} ${where} ORDER BY ${order} LIMIT ${pageRows}`
  const summed = `SELECT *, sum(own_bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - own_bytes AS before_bytes
    FROM (${begin}) AS begun`
  return `SELECT ${shown} FROM (${summed}) AS page WHERE page.before_bytes < ${pageBytes}
    ORDER BY ${key(table)
      .map((column) => `page.${quoted(column)}`)
      .join(", ")}`
}

const rangeWhere = (words: CopyDialect, table: CatalogTable, { after, upTo }: Range): string => {
  const conditions = [
    ...(after === null ? [] : [compared(words, table, ">", 1)]),
    ...(upTo === null ? [] : [compared(words, table, "<=", (after?.length ?? 0) + 1)])
  ]
  return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`
}

/** Returns the parameters of a range, in the order in which the statements below use them. */
export const rangeParams = ({ after, upTo }: Range): ReadonlyArray<string | null> => [...(after ?? []), ...(upTo ?? [])]

/** Returns a statement that selects every row of a range. */
export const betweenSql = (words: CopyDialect, table: CatalogTable, range: Range): string =>
  `SELECT ${table.columns.map((column) => words.asText(quoted(column))).join(", ")} FROM ${quoted(table.name)}
    ${rangeWhere(words, table, range)}`

/** Returns a statement that deletes the rows of a range. */
export const removeSql = (words: CopyDialect, table: CatalogTable, range: Range): string =>
  `DELETE FROM ${quoted(table.name)} ${rangeWhere(words, table, range)}`

/** Returns the `INSERT` clause of a statement. */
export const insertSql = (table: CatalogTable): string => `INSERT INTO ${quoted(table.name)} (${names(table.columns)})`
