import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import type { CatalogTable } from "./Catalog.ts"
import { type Checksum, checksumOf, newChecksum } from "./Checksum.ts"
import { type Key, keyOf, type Row } from "./Row.ts"
import type { RowsCollided, Snapshot, Target } from "./CopyEndpoint.ts"

/** The result of one copied table, calculated from the rows as the target stores them. */
export interface Copied {
  readonly checksum: Checksum
  /** The number of rows with replaced characters. */
  readonly replaced: number
}

/** Receives the number of rows of each page. */
export type OnRows = (rows: number) => Effect.Effect<void>

type Failed = StoreUnavailable | RowsCollided

/**
 * Reads a table page by page, and passes each page to `work`. The next page is read while `work` processes the current
 * one. If the source is a server, the read is sent before `work` starts, so that both run concurrently. A file is read
 * synchronously, so it is read after `work` has sent its own requests.
 */
const walk = <E>(
  source: Snapshot,
  table: CatalogTable,
  work: (rows: ReadonlyArray<Row>) => Effect.Effect<void, E>
): Effect.Effect<void, E | StoreUnavailable> =>
  Effect.gen(function* () {
    let rows = yield* source.page(table, null)
    while (rows.length > 0) {
      const read = source.page(table, keyOf(table, rows.at(-1) ?? []))
      const both = { concurrency: 2 } as const
      rows = source.isServer
        ? (yield* Effect.all([read, work(rows)], both))[0]
        : (yield* Effect.all([work(rows), read], both))[1]
    }
  })

/** Copies all pages into an empty table. */
const fill = (source: Snapshot, target: Target, table: CatalogTable, onRows: OnRows): Effect.Effect<Copied, Failed> =>
  Effect.gen(function* () {
    const checksum = newChecksum()
    let replaced = 0
    yield* walk(source, table, (rows) => {
      const held = rows.map(target.hold)
      replaced += held.filter((row, index) => row !== rows[index]).length
      for (const row of held) checksum.add(row)
      return Effect.andThen(target.write(table, held, null), onRows(rows.length))
    })
    return { checksum, replaced }
  })

/**
 * Copies into a table that already has rows. Compares page by page, and rewrites only pages that differ. If `hold`
 * changes the key of a row, the row has another position in the target. Such rows are written at the end, in a second
 * pass.
 */
const repair = (source: Snapshot, target: Target, table: CatalogTable, onRows: OnRows): Effect.Effect<Copied, Failed> =>
  Effect.gen(function* () {
    const checksum = newChecksum()
    let replaced = 0
    let respelled = 0
    let after: Key | null = null
    const keepsKey = (row: Row): boolean => {
      const held = target.hold(row)
      return held === row || keyOf(table, held).every((value, index) => value === row[index])
    }
    const mendStretch = (rows: ReadonlyArray<Row>, upTo: Key) =>
      Effect.gen(function* () {
        const range = { after, upTo }
        const present = yield* target.between(table, range)
        if (present.length === rows.length && checksumOf(present) === checksumOf(rows)) return
        yield* target.write(table, rows, present.length === 0 ? null : range)
      })
    yield* walk(source, table, (rows) =>
      Effect.gen(function* () {
        const plain = rows.filter(keepsKey).map(target.hold)
        replaced += rows.filter((row) => target.hold(row) !== row).length
        respelled += rows.length - plain.length
        for (const row of rows) checksum.add(target.hold(row))
        const last = plain.at(-1)
        if (last !== undefined) {
          const end = keyOf(table, last)
          yield* mendStretch(plain, end)
          after = end
        }
        yield* onRows(rows.length)
      })
    )
    yield* target.write(table, [], { after, upTo: null })
    if (respelled > 0) {
      yield* walk(source, table, (rows) =>
        target.write(table, rows.filter((row) => !keepsKey(row)).map(target.hold), null)
      )
    }
    return { checksum, replaced }
  })

/** Makes a table of the target equal to the source. `isFresh`: whether the target table is empty. */
export const copyTable = (
  source: Snapshot,
  target: Target,
  table: CatalogTable,
  { isFresh, onRows }: { readonly isFresh: boolean; readonly onRows: OnRows }
): Effect.Effect<Copied, Failed> => {
  if (isFresh) return fill(source, target, table, onRows)
  // A collision is possible, because an outdated row of the target may have the unique value of another row. In this
  // case, the table is emptied and filled again.
  return Effect.catchTag(repair(source, target, table, onRows), "RowsCollided", () =>
    Effect.andThen(
      target.write(table, [], { after: null, upTo: null }),
      fill(source, target, table, () => Effect.void)
    )
  )
}

/** Returns the checksum of a table. */
export const checksumTable = (
  side: Snapshot,
  table: CatalogTable,
  onRows: OnRows
): Effect.Effect<Checksum, StoreUnavailable> =>
  Effect.gen(function* () {
    const checksum = newChecksum()
    yield* walk(side, table, (rows) => {
      for (const row of rows) checksum.add(row)
      return onRows(rows.length)
    })
    return checksum
  })
