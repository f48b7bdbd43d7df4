import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Where things wait until a worker gets to them. `events`: outbound events that a subscription has not been sent. */
export const queues = ["signals", "sends", "jobs", "events"] as const
export type Queue = (typeof queues)[number]

/** What waits in a queue though its time has come. */
export interface Backlog {
  readonly queue: Queue
  /** How much that is, counted up to a bound. */
  readonly due: number
  /** Since when the longest of it waits, epoch milliseconds; null: nothing waits. */
  readonly since: number | null
}

/**
 * How far the workers of a deployment are behind: for whoever watches it, not for the workers. What somebody holds, or
 * what waits for a time to come, is not due.
 */
export class Backlogs extends Context.Service<
  Backlogs,
  {
    /**
     * Every queue in the order of `queues`, at `now` (epoch milliseconds), counted up to `most`. An event that waits for
     * three subscriptions counts three times; those of a subscription that is not active wait for nobody.
     */
    readonly read: (now: number, max: number) => Effect.Effect<ReadonlyArray<Backlog>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/Backlogs") {}
