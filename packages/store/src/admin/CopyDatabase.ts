import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, type Scope } from "effect"
import { type DatabaseUrl, databaseName } from "../DatabaseUrl.ts"
import type { DatabaseUnusable, StoreUrlUnsupported } from "../Store.ts"
import { type DatabaseMissing, openReadOnly, parseUrl } from "./ReadOnlyDatabase.ts"
import { type CatalogTable, copiedTables } from "./Catalog.ts"
import { CopyRefused, unmarkCopy } from "./CopyAdmission.ts"
import { copyTable, checksumTable } from "./CopyTable.ts"
import { openCopyTarget } from "./CopyTarget.ts"
import { migrationState } from "./MigrationState.ts"
import * as PostgresEndpoint from "./PostgresEndpoint.ts"
import type { RowsCollided, Snapshot } from "./CopyEndpoint.ts"
import * as SqliteEndpoint from "./SqliteEndpoint.ts"

/** The progress of a copy. */
export interface CopyProgress {
  readonly phase: "copy" | "compare"
  readonly table: string
  /** The number of rows processed in this phase. */
  readonly rows: number
  /** The number of rows in the source. */
  readonly total: number
}

/** The input of one copy, with a progress callback. */
export interface CopyRequest {
  readonly from: string
  readonly to: string
  readonly resume?: boolean
  readonly onProgress?: (progress: CopyProgress) => void
}

/** The comparison of one table in source and target. */
export interface CopiedTable {
  readonly table: string
  readonly sourceRows: number
  readonly targetRows: number
  /**
   * 48 hexadecimal digits. Before the checksum of the source is calculated, unsupported characters are replaced as in
   * the target.
   */
  readonly sourceChecksum: string
  readonly targetChecksum: string
  /** The number of rows with characters that the target cannot store. Each such character becomes U+FFFD. */
  readonly replaced: number
}

/** The result of one copy. */
export interface CopyReport {
  readonly from: string
  readonly to: string
  readonly tables: ReadonlyArray<CopiedTable>
}

/** The reasons why a copy can fail. */
export type CopyFailure =
  | CopyRefused
  | DatabaseMissing
  | DatabaseUnusable
  | RowsCollided
  | StoreUnavailable
  | StoreUrlUnsupported

/** Returns whether a table has the same rows in source and target. */
export const isSame = ({ sourceChecksum, sourceRows, targetChecksum, targetRows }: CopiedTable): boolean =>
  sourceRows === targetRows && sourceChecksum === targetChecksum

/**
 * Opens the source without changing it. The source must have exactly the migrations of this version and must not be an
 * unfinished copy.
 */
const openSource = (
  database: DatabaseUrl
): Effect.Effect<Snapshot, CopyRefused | DatabaseMissing | StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const name = databaseName(database)
    const state = yield* Effect.scoped(Effect.flatMap(openReadOnly(database), migrationState))
    const refuse = (reason: string) => new CopyRefused({ reason: `${name} ${reason}` })
    if (state.isUnfinishedCopy) return yield* refuse("is an unfinished copy. Finish that copy first.")
    if (state.unknown.length > 0) return yield* refuse("belongs to a newer version of Leadloom. Use that version.")
    if (state.missing.length > 0) return yield* refuse("lacks migrations. Run leadloom db migrate on it first.")
    return yield* database.kind === "sqlite"
      ? SqliteEndpoint.snapshot(database.filename)
      : PostgresEndpoint.snapshot(database.url)
  })

/** Counts the rows of a phase and reports the progress. */
const counter = (phase: CopyProgress["phase"], total: number, onProgress: CopyRequest["onProgress"]) => {
  let rows = 0
  return (table: CatalogTable) => (more: number) =>
    Effect.sync(() => {
      rows += more
      onProgress?.({ phase, table: table.name, rows, total })
    })
}

const totalOf = (source: Snapshot, tables: ReadonlyArray<CatalogTable>) =>
  Effect.map(Effect.forEach(tables, source.count), (counts) => counts.reduce((sum, count) => sum + count, 0))

/**
 * Copies every row of a database into another database, then reads the target again and compares both. The copy has the
 * state of one moment, so the source may be in use. The target is marked as unfinished until the comparison succeeds,
 * and a server refuses to start on a marked database. After a failed comparison, `resume` repairs the target.
 */
export const copyDatabase = (request: CopyRequest): Effect.Effect<CopyReport, CopyFailure> =>
  Effect.gen(function* () {
    const [from, to] = [yield* parseUrl(request.from), yield* parseUrl(request.to)]
    const tables = yield* copiedTables
    const source = yield* openSource(from)
    const plan = { source: databaseName(from), tables, resume: request.resume === true }
    const { isFresh, target } = yield* openCopyTarget(to, plan)
    const total = yield* totalOf(source, tables)
    const copying = counter("copy", total, request.onProgress)
    const copied = yield* Effect.forEach(tables, (table) =>
      Effect.map(copyTable(source, target, table, { isFresh, onRows: copying(table) }), (done) => ({ table, ...done }))
    )
    const comparing = counter("compare", total, request.onProgress)
    const byName = copied.toSorted((one, other) => (one.table.name < other.table.name ? -1 : 1))
    const compared = yield* Effect.forEach(byName, ({ checksum, replaced, table }) =>
      Effect.map(checksumTable(target, table, comparing(table)), (found): CopiedTable => ({
        table: table.name,
        sourceRows: checksum.rows(),
        targetRows: found.rows(),
        sourceChecksum: checksum.hex(),
        targetChecksum: found.hex(),
        replaced
      }))
    )
    yield* target.settle
    if (compared.every(isSame)) yield* target.run(unmarkCopy)
    return { from: plan.source, to: databaseName(to), tables: compared }
  }).pipe(Effect.scoped)
