import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
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

/** How far a copy is. */
export interface CopyProgress {
  readonly phase: "copy" | "compare"
  readonly table: string
  /** Rows dealt with in this phase. */
  readonly rows: number
  /** Rows of the source. */
  readonly total: number
}

/** What to copy, and whom to tell. */
export interface CopyRequest {
  readonly from: string
  readonly to: string
  readonly resume?: boolean
  readonly onProgress?: (progress: CopyProgress) => void
}

/** A table on both sides. */
export interface CopiedTable {
  readonly table: string
  readonly sourceRows: number
  readonly targetRows: number
  /** 48 hexadecimal digits, of what the target can hold. */
  readonly sourceChecksum: string
  readonly targetChecksum: string
  /** Rows that had something the target cannot hold: U+FFFD stands for it now. */
  readonly replaced: number
}

/** What came of a copy. */
export interface CopyReport {
  readonly from: string
  readonly to: string
  readonly tables: ReadonlyArray<CopiedTable>
}

/** Everything that stands in the way of a copy. */
export type CopyFailure =
  | CopyRefused
  | DatabaseMissing
  | DatabaseUnusable
  | RowsCollided
  | StoreUnavailable
  | StoreUrlUnsupported

/** Whether both sides of a table hold the same. */
export const isSame = ({ sourceChecksum, sourceRows, targetChecksum, targetRows }: CopiedTable): boolean =>
  sourceRows === targetRows && sourceChecksum === targetChecksum

/** A source is read as it is, so it has to have the tables of this version already, and be whole. */
const openSource = (
  database: DatabaseUrl
): Effect.Effect<Snapshot, CopyRefused | DatabaseMissing | StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const name = databaseName(database)
    const state = yield* Effect.scoped(Effect.flatMap(openReadOnly(database), migrationState))
    const refuse = (reason: string) => new CopyRefused({ reason: `${name} ${reason}` })
    if (state.isUnfinishedCopy) return yield* refuse("is an unfinished copy itself. Finish it first.")
    if (state.unknown.length > 0) return yield* refuse("was made by a newer version of this program. Use that one.")
    if (state.missing.length > 0) return yield* refuse("lacks migrations. Run leadloom db migrate on it first.")
    return yield* database.kind === "sqlite"
      ? SqliteEndpoint.snapshot(database.filename)
      : PostgresEndpoint.snapshot(database.url)
  })

/** Counts rows of a phase and tells of them. */
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
 * Copies every row of one database into another, then reads the other again and compares. The source may be in use: it is
 * copied as it was at one moment. The target stays marked as unfinished, so that no server works with it, until it was
 * found to be the same; a report that says otherwise leaves it so, and `resume` repairs it.
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
    const compared = yield* Effect.forEach(copied, ({ checksum, replaced, table }) =>
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
