import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Data, type Effect } from "effect"
import type { CatalogTable } from "./Catalog.ts"
import type { Key, Row } from "./Row.ts"

/** Two rows of a table have become one under a unique key. */
export class RowsCollided extends Data.TaggedError("RowsCollided")<{
  readonly table: string
  readonly reason: string
}> {
  override get message() {
    return `Rows of the table ${this.table} differ only in characters that the target cannot hold (${this.reason}). Change one of them in the source, and go on with --resume.`
  }
}

/** A database that is read as it was at one moment, whatever is written to it meanwhile. */
export interface Snapshot {
  /** Reading waits for another process. */
  readonly isServer: boolean
  readonly count: (table: CatalogTable) => Effect.Effect<number, StoreUnavailable>
  /**
   * The rows after a key, null being the beginning, in the order of their keys: as many as fit into a page of
   * `pageBytes` and `pageRows`, but at least one. None: there are no more.
   */
  readonly page: (table: CatalogTable, after: Key | null) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
}

/** From behind a key up to and including another; null is the beginning and the end of the table. */
export interface Range {
  readonly after: Key | null
  readonly upTo: Key | null
}

/** A database that is written to, a page at a time. */
export interface Target extends Snapshot {
  /** What becomes of a row here: the same row, or one without what the dialect cannot hold. */
  readonly hold: (row: Row) => Row
  /** The rows of a range, in any order. */
  readonly between: (table: CatalogTable, range: Range) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  /** Stores rows, which `hold` has seen, in place of those of the range, if one is given. All of it or nothing. */
  readonly write: (
    table: CatalogTable,
    rows: ReadonlyArray<Row>,
    instead: Range | null
  ) => Effect.Effect<void, StoreUnavailable | RowsCollided>
  /** Runs a statement that answers no rows. */
  readonly run: (statement: string) => Effect.Effect<void, StoreUnavailable>
  /** Everything written so far survives a power cut. */
  readonly settle: Effect.Effect<void, StoreUnavailable>
}

/** Rows in a page at most: few statements, and a page is soon read. */
export const pageRows = 1_000

/** Bytes of text in a page at most: what a copy holds in memory is a few times this. */
export const pageBytes = 8 * 1_048_576
