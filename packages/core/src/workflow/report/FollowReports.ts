/**
 * Reports: a worker that counts stored messages and runs, and the reports from its counters. The counters belong in
 * `domain/report`. Tests: `packages/testkit/src/suite/report`.
 */
import { Clock, Effect } from "effect"
import { encodeId, type IdPrefix } from "../../domain/Id.ts"
import { sumTallies, talliesOfMessage, talliesOfRun, type Tally } from "../../domain/report/Report.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { wallClock } from "../../domain/time/WallClock.ts"
import { Reports, type ReportStream, type StreamRange } from "../../port/repository/tenant/Reports.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * The age at which a row is counted. Rows of several servers commit in another order than their ids, within the time
 * limit of a unit of work.
 */
export const countedAfterMillis = 60_000

/** The number of rows that one unit of work counts. */
const rowsAtOnce = 500

const streams: ReadonlyArray<ReportStream> = ["messages", "runs"]

const prefixes: Readonly<Record<ReportStream, IdPrefix>> = { messages: "msg", runs: "run" }

/** Returns the id before which all rows are old enough. */
const boundOf = (stream: ReportStream, now: number): string =>
  encodeId(prefixes[stream], now - countedAfterMillis, new Uint8Array(10))

const talliesOf = Effect.fnUntraced(function* (tenant: Tenant, stream: ReportStream, range: StreamRange) {
  const reports = yield* Reports
  const { read } = wallClock(tenant.config.timeZone)
  const dayOf = (millis: number): string => read(millis).date
  if (stream === "messages") {
    const rows = yield* reports.messages(tenant.tenantId, range)
    return { rows, tallies: rows.flatMap((row): ReadonlyArray<Tally> => talliesOfMessage(row, dayOf)) }
  }
  const rows = yield* reports.runs(tenant.tenantId, range)
  return { rows, tallies: rows.flatMap((row) => talliesOfRun(row, dayOf)) }
})

/** Counts the next rows of a stream, and returns their number. Runs inside a unit of work, so each row counts once. */
const countRows = Effect.fnUntraced(function* (tenant: Tenant, stream: ReportStream) {
  const reports = yield* Reports
  const { tenantId } = tenant
  const before = boundOf(stream, yield* Clock.currentTimeMillis)
  const after = yield* reports.position(tenantId, stream)
  const { rows, tallies } = yield* talliesOf(tenant, stream, { after, before, limit: rowsAtOnce })
  const last = rows.at(-1)
  if (last !== undefined) yield* reports.add(tenantId, stream, last.id, sumTallies(tallies))
  return rows.length
})

/** Returns whether a stream has rows to count. It needs no unit of work, so idle tenants cost one query per stream. */
const hasRows = Effect.fnUntraced(function* (tenantId: string, stream: ReportStream) {
  const reports = yield* Reports
  const before = boundOf(stream, yield* Clock.currentTimeMillis)
  const range = { after: yield* reports.position(tenantId, stream), before, limit: 1 }
  const rows = yield* stream === "messages" ? reports.messages(tenantId, range) : reports.runs(tenantId, range)
  return rows.length > 0
})

/** Counts all new rows of a tenant. */
export const followTenant = Effect.fnUntraced(function* (tenant: Tenant) {
  const { atomically } = yield* Transactions
  const { tenantId } = tenant
  for (const stream of streams) {
    if (!(yield* hasRows(tenantId, stream))) continue
    while ((yield* atomically(tenantId, countRows(tenant, stream))) === rowsAtOnce);
  }
}, withSpan("followReports"))

/** Counts all new rows of all tenants. */
export const followReports = Effect.fnUntraced(function* () {
  for (const tenant of yield* (yield* Tenants).list) yield* followTenant(tenant)
})

/** Deletes the counters of a tenant and counts all its rows again. */
export const recountReports = Effect.fnUntraced(function* (tenantId: string) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  yield* (yield* Transactions).atomically(tenantId, (yield* Reports).reset(tenantId))
  yield* followTenant(tenant)
}, withSpan("recountReports"))
