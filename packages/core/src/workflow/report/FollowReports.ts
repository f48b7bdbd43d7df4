/**
 * Reports: a worker that counts stored rows, and the reports from its sums. The facts of rows belong in
 * `domain/report`. Tests: `packages/testkit/src/suite/report`.
 */
import { Clock, Effect } from "effect"
import { encodeId, type IdPrefix } from "../../domain/Id.ts"
import { Reports, type ReportStream, reportStreams, type StreamRange } from "../../port/repository/tenant/Reports.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { withSpan } from "../WithSpan.ts"
import { countRows, readPage } from "./CountRows.ts"
import { carryOutRecounts } from "./RecountReports.ts"

/**
 * The age at which a row is counted. Rows of several servers commit in another order than their ids, within the time
 * limit of a unit of work.
 */
export const countedAfterMillis = 60_000

/** The number of rows that one unit of work counts. */
const rowsAtOnce = 500

/** The prefixes of the ids of the streams. */
export const idPrefixes: Readonly<Record<ReportStream, IdPrefix>> = {
  messages: "msg",
  closings: "act",
  runs: "run",
  leads: "lead"
}

/** Returns the rows of a stream that are old enough and not counted yet. */
const uncounted = Effect.fnUntraced(function* (tenantId: string, stream: ReportStream, limit: number) {
  const now = yield* Clock.currentTimeMillis
  const before = encodeId(idPrefixes[stream], now - countedAfterMillis, new Uint8Array(10))
  const range: StreamRange = {
    after: yield* (yield* Reports).position(tenantId, stream),
    before,
    limit,
    subjectId: ""
  }
  return range
})

/** Counts the next rows of a stream, and returns their number. Runs inside a unit of work, so each row counts once. */
const countNext = Effect.fnUntraced(function* (tenantId: string, stream: ReportStream) {
  const ids = yield* countRows(tenantId, stream, yield* uncounted(tenantId, stream, rowsAtOnce))
  const last = ids.at(-1)
  if (last !== undefined) yield* (yield* Reports).setPosition(tenantId, stream, last)
  return ids.length
})

/** Returns whether a stream has rows to count. It needs no unit of work, so idle tenants cost one query per stream. */
const hasRows = Effect.fnUntraced(function* (tenantId: string, stream: ReportStream) {
  const { ids } = yield* readPage(tenantId, stream, yield* uncounted(tenantId, stream, 1))
  return ids.length > 0
})

/** Counts all new rows of a tenant, and carries out its recounts. */
export const followTenant = Effect.fnUntraced(function* (tenantId: string) {
  const { atomically } = yield* Transactions
  for (const stream of reportStreams) {
    if (!(yield* hasRows(tenantId, stream))) continue
    while ((yield* atomically(tenantId, countNext(tenantId, stream))) === rowsAtOnce);
  }
  yield* carryOutRecounts(tenantId)
}, withSpan("followReports"))

/** Counts all new rows of all tenants, and carries out their recounts. */
export const followReports = Effect.fnUntraced(function* () {
  for (const { tenantId } of yield* (yield* Tenants).list) {
    // The tenant may have been removed since the list was read.
    yield* Effect.catchTag(followTenant(tenantId), "TenantNotFound", () => Effect.void)
  }
})
