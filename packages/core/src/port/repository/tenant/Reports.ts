import { Context, type Effect } from "effect"
import type { Fact, FactChanges, FollowedClosing, FollowedMessage, FollowedRun } from "../../../domain/report/Fact.ts"
import type { FollowedLead } from "../../../domain/report/LeadFacts.ts"
import type { FactSum, Metric, ReportFilter, ReportGroup } from "../../../domain/report/Report.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The stored rows that are counted. */
export const reportStreams = ["messages", "closings", "runs", "leads"] as const

export type ReportStream = (typeof reportStreams)[number]

/** The part of a stream that is read: ids after `after` and before `before`, both excluded. */
export interface StreamRange {
  readonly after: string
  readonly before: string
  readonly limit: number
  /** The contact whose rows are read, or the lead for the stream of leads; empty: all rows. */
  readonly subjectId: string
}

/** Rows to count again: those of a contact, one lead, or all rows of the stream if `subjectId` is empty. */
export interface Recount {
  readonly subjectId: string
  readonly stream: ReportStream
  /** The id of the last row that was counted again; empty at the start. */
  readonly position: string
}

/** The facts and metrics that a report reads. */
export interface SumQuery {
  readonly metrics: ReadonlyArray<Metric>
  /** The first and the last day. */
  readonly from: string
  readonly to: string
  readonly groupBy: ReportGroup
  readonly filter: ReportFilter
}

/** The facts of reports and their sums, and the stored rows from which the facts are computed. */
export class Reports extends Context.Service<
  Reports,
  {
    /** Lists messages in the order of their ids. */
    readonly messages: (
      tenantId: string,
      range: StreamRange
    ) => Effect.Effect<ReadonlyArray<FollowedMessage>, StoreUnavailable>
    /** Lists closings of conversations in the order of their ids. */
    readonly closings: (
      tenantId: string,
      range: StreamRange
    ) => Effect.Effect<ReadonlyArray<FollowedClosing>, StoreUnavailable>
    /** Lists runs in the order of their ids. */
    readonly runs: (tenantId: string, range: StreamRange) => Effect.Effect<ReadonlyArray<FollowedRun>, StoreUnavailable>
    /** Lists leads with their moves, in the order of their ids. */
    readonly leads: (
      tenantId: string,
      range: StreamRange
    ) => Effect.Effect<ReadonlyArray<FollowedLead>, StoreUnavailable>
    /** Returns the id of the last counted row; empty at the start. */
    readonly position: (tenantId: string, stream: ReportStream) => Effect.Effect<string, StoreUnavailable>
    readonly setPosition: (
      tenantId: string,
      stream: ReportStream,
      position: string
    ) => Effect.Effect<void, StoreUnavailable>
    /** Returns the stored facts with these ids. */
    readonly facts: (
      tenantId: string,
      factIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Fact>, StoreUnavailable>
    /** Removes and adds facts. The sums follow in the same unit of work. */
    readonly change: (tenantId: string, changes: FactChanges) => Effect.Effect<void, StoreUnavailable>
    /**
     * Returns a recount that is to be done; null: none. Triggers of the database record those of
     * changed rows.
     */
    readonly nextRecount: (tenantId: string) => Effect.Effect<Recount | null, StoreUnavailable>
    /** Records a recount of all rows of a tenant. Restarts one that is in progress. */
    readonly recountAll: (tenantId: string) => Effect.Effect<void, StoreUnavailable>
    /** Stores the position of a recount. */
    readonly moveRecount: (tenantId: string, recount: Recount) => Effect.Effect<void, StoreUnavailable>
    /** Deletes a complete recount. */
    readonly endRecount: (tenantId: string, recount: Recount) => Effect.Effect<void, StoreUnavailable>
    /** Returns sums of facts by group, metric, detail and bucket. */
    readonly sums: (tenantId: string, query: SumQuery) => Effect.Effect<ReadonlyArray<FactSum>, StoreUnavailable>
  }
>()("core/port/repository/tenant/Reports") {}
