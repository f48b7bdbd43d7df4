import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import type { Effect } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import type { CatalogTable } from "./Catalog.ts"
import type { Key, Row } from "./Row.ts"

/**
 * Two rows of a table have the same value under a unique key. Either the rows differ only in characters that the target
 * cannot store, or one of them is outdated.
 */
export class RowsCollided extends TaggedError("RowsCollided")<{
  readonly table: string
  readonly reason: string
}> {
  override get message() {
    return `Rows of the table ${this.table} differ only in characters that the target cannot store (${this.reason}). Change one of them in the source, then continue with --resume.`
  }
}

/** The state of a database at one moment, unaffected by concurrent writes. */
export interface Snapshot {
  /** Whether a read waits for the response of a server, as on Postgres. */
  readonly isServer: boolean
  readonly count: (table: CatalogTable) => Effect.Effect<number, StoreUnavailable>
  /**
   * Returns the next rows after a key, in key order. A null key means the start of the table. A page has at most
   * `pageBytes` and `pageRows`, but at least one row. After the last row, the page is empty.
   */
  readonly page: (table: CatalogTable, after: Key | null) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
}

/** The rows after one key, up to and including another key. Null means the start or the end of the table. */
export interface Range {
  readonly after: Key | null
  readonly upTo: Key | null
}

/** A database that a copy writes to, one page at a time. */
export interface Target extends Snapshot {
  /** Returns the row as the target stores it. The result is the same object, or a copy with replaced characters. */
  readonly hold: (row: Row) => Row
  /** Returns the rows of a range, in any order. */
  readonly between: (table: CatalogTable, range: Range) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /**
   * Stores rows that `hold` returned. If a range is given, they replace the rows of this range. The write is atomic.
   */
  readonly write: (
    table: CatalogTable,
    rows: ReadonlyArray<Row>,
    instead: Range | null
  ) => Effect.Effect<void, StoreUnavailable | RowsCollided>
  /** Runs a statement that returns no rows. */
  readonly run: (statement: string) => Effect.Effect<void, StoreUnavailable>
  /** Makes all earlier writes durable. */
  readonly settle: Effect.Effect<void, StoreUnavailable>
}

/** The maximum number of rows per page. The value keeps the number of statements low and the time per page short. */
export const pageRows = 1_000

/** The maximum size of a page in bytes of text. A copy needs a few times as much memory. */
export const pageBytes = 8 * 1_048_576
