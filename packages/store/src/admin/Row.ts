import type { CatalogTable } from "./Catalog.ts"

/** A row with its columns in the order of the catalog. Numbers are text: no dialect and no driver rounds them. */
export type Row = ReadonlyArray<string | null>

/** The key of a row. */
export type Key = ReadonlyArray<string | null>

/** The key of a row of a table. */
export const keyOf = (table: CatalogTable, row: Row): Key => row.slice(0, table.keyLength)
