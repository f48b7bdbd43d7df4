import type { CatalogTable } from "./Catalog.ts"

/** A row with its columns in catalog order. Numbers are text, so that they are not rounded. */
export type Row = ReadonlyArray<string | null>

/** The key of a row. */
export type Key = ReadonlyArray<string | null>

/** Returns the key of a row. */
export const keyOf = (table: CatalogTable, row: Row): Key => row.slice(0, table.keyLength)
