import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import type { Effect } from "effect"

/** A value of a row, as a parameter of a statement (`sql/Param.ts`). */
type Value = string | number | null

/** The values of one row, in the order of the columns of its form. */
export type Row = ReadonlyArray<Value>

/** The type of a column in a statement that writes many rows. */
export type ArrayType = "text" | "bigint" | "json" | "jsonb"

/** The order of the statements of a batch. Rows of a later phase are derived from tables of an earlier one. */
export type Phase = "rows" | "derived" | "list"

/** A write with two forms: a statement for one row, and a statement for all rows of a set or batch (Postgres). */
export interface RowsForm {
  /** The statement for one row, with `?` parameters. */
  readonly text: string
  /**
   * Returns the parameters of `text` for all rows of a call, which `text` then writes outside a batch. If absent, SQLite
   * runs `text` once per row, and Postgres writes two or more rows with `batch`.
   */
  readonly params?: (rows: ReadonlyArray<Row>) => ReadonlyArray<Value>
  readonly types: ReadonlyArray<ArrayType>
  /** Returns the statement for all rows. `source` is a source of rows with one column per type. */
  readonly batch: (source: string) => string
  /**
   * Combines the rows of a batch in the order of the units. Each element of the result becomes one statement. Default:
   * one statement with all rows.
   */
  readonly combine?: (rows: ReadonlyArray<Row>) => ReadonlyArray<ReadonlyArray<Row>>
  /** Default: `rows`. */
  readonly phase?: Phase
  /** A query in the syntax of Postgres that finds a row if it was stored. It decides after a connection is lost. */
  readonly witness?: { readonly text: string; readonly params: (row: Row) => ReadonlyArray<Value> }
}

/** Writes rows. Inside a batch, only records them. */
export type WriteRows = (rows: ReadonlyArray<Row>) => Effect.Effect<void, StoreUnavailable>

/** Records the rows of a unit that runs in a batch. */
export type RecordRows = (form: RowsForm, rows: ReadonlyArray<Row>) => void
