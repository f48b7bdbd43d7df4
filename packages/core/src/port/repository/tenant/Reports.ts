import { Context, type Effect } from "effect"
import type { FollowedMessage, FollowedRun, Metric, ReportCount, Tally } from "../../../domain/report/Report.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The stored rows that are counted. */
export type ReportStream = "messages" | "runs"

/** The part of a stream that is read: ids after `after` and before `before`, both excluded. */
export interface StreamRange {
  readonly after: string
  readonly before: string
  readonly limit: number
}

/** The counters of reports, and the stored rows from which they are computed. */
export class Reports extends Context.Service<
  Reports,
  {
    /** Lists messages without automatic mail, in the order of their ids. */
    readonly messages: (
      tenantId: string,
      range: StreamRange
    ) => Effect.Effect<ReadonlyArray<FollowedMessage>, StoreUnavailable>
    /** Lists runs in the order of their ids. */
    readonly runs: (tenantId: string, range: StreamRange) => Effect.Effect<ReadonlyArray<FollowedRun>, StoreUnavailable>
    /** Returns the id of the last counted row; empty at the start. */
    readonly position: (tenantId: string, stream: ReportStream) => Effect.Effect<string, StoreUnavailable>
    /** Adds tallies to the counters, and stores the id of the last counted row. Call it in one unit of work. */
    readonly add: (
      tenantId: string,
      stream: ReportStream,
      position: string,
      tallies: ReadonlyArray<Tally>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Deletes the counters and positions of a tenant, so that all rows are counted again. */
    readonly reset: (tenantId: string) => Effect.Effect<void, StoreUnavailable>
    /** Lists the counters of some metrics, from one day to another, both included. */
    readonly counts: (
      tenantId: string,
      metrics: ReadonlyArray<Metric>,
      from: string,
      to: string
    ) => Effect.Effect<ReadonlyArray<ReportCount>, StoreUnavailable>
  }
>()("core/port/repository/tenant/Reports") {}
