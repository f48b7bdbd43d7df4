import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The queues whose backlog is measured. `events` contains the outbound events that a subscription has not received. */
export const queues = ["signals", "sends", "jobs", "events"] as const
export type Queue = (typeof queues)[number]

/** The due work of one queue. */
export interface Backlog {
  readonly queue: Queue
  /** The number of due items, counted up to the maximum. */
  readonly due: number
  /** The due time of the oldest item in epoch milliseconds. Null when nothing is due. */
  readonly since: number | null
}

/**
 * The backlog of all workers of a deployment, for monitoring; workers do not use it. Claimed and scheduled work is not
 * due.
 */
export class Backlogs extends Context.Service<
  Backlogs,
  {
    /**
     * Measures every queue in the order of `queues` at `now` (epoch milliseconds). Each count stops at `max`. An event
     * that three subscriptions wait for counts three times. Only active subscriptions count.
     */
    readonly read: (now: number, max: number) => Effect.Effect<ReadonlyArray<Backlog>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/Backlogs") {}
