import type { CatalogTable } from "./Catalog.ts"
import { pageBytes, pageRows, type Range } from "./CopyEndpoint.ts"

/** How a dialect spells what a page is read by. */
export interface CopyDialect {
  /** The parameter of this number, from 1, for a column. */
  readonly param: (table: CatalogTable, column: string, number: number) => string
  /** How many bytes a column holds, found without loading them. */
  readonly size: (table: CatalogTable, column: string) => string
  readonly asText: (column: string) => string
}

/** A column's name as SQL takes it, whatever word it is. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const names = (columns: ReadonlyArray<string>): string => columns.map(quoted).join(", ")

const key = ({ columns, keyLength }: CatalogTable): ReadonlyArray<string> => columns.slice(0, keyLength)

/** Rows on one side of a key, whose parameters have the numbers from `first` on. */
const compared = (words: CopyDialect, table: CatalogTable, operator: ">" | "<=", first: number): string => {
  const columns = key(table)
  const params = columns.map((column, index) => words.param(table, column, first + index))
  return `(${names(columns)}) ${operator} (${params.join(", ")})`
}

/**
 * A page after a key, or the first one. Its rows are added up by size before any of them is loaded, so that a page of
 * long mails is a short page.
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

/** The parameters of a range, in the order in which its statements number them. */
export const rangeParams = ({ after, upTo }: Range): ReadonlyArray<string | null> => [...(after ?? []), ...(upTo ?? [])]

/** Every row of a range. */
export const betweenSql = (words: CopyDialect, table: CatalogTable, range: Range): string =>
  `SELECT ${table.columns.map((column) => words.asText(quoted(column))).join(", ")} FROM ${quoted(table.name)}
    ${rangeWhere(words, table, range)}`

/** Removes the rows of a range. */
export const removeSql = (words: CopyDialect, table: CatalogTable, range: Range): string =>
  `DELETE FROM ${quoted(table.name)} ${rangeWhere(words, table, range)}`

/** The beginning of a statement that adds rows. */
export const insertSql = (table: CatalogTable): string => `INSERT INTO ${quoted(table.name)} (${names(table.columns)})`
