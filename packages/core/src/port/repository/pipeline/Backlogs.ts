import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * The queues whose backlog is measured. `events` contains the outbound events that subscriptions have not received yet,
 * `webhook_calls` the calls of the action `call_webhook`.
 */
export const queues = ["signals", "sends", "jobs", "events", "webhook_calls"] as const
export type Queue = (typeof queues)[number]

/** The due work in one queue. */
export interface Backlog {
  readonly queue: Queue
  /** The number of due items. The count stops at a maximum. */
  readonly due: number
  /** The due time of the oldest item in epoch milliseconds. Null when nothing is due. */
  readonly since: number | null
}

/** The entries of a queue that failed. */
export interface FailedWork {
  readonly queue: Queue
  /** The number of failed entries. The count stops at a maximum. */
  readonly failed: number
}

/** The waiting jobs of one kind. */
export interface WaitingJobs {
  readonly kind: string
  readonly waiting: number
  /** The jobs whose last attempt failed. They are retried. */
  readonly failed: number
  /** The creation of the oldest job in epoch milliseconds. */
  readonly since: number
}

/**
 * The backlog of all workers of a deployment. It exists for monitoring only. Claimed work and work scheduled for later
 * are not due.
 */
export class Backlogs extends Context.Service<
  Backlogs,
  {
    /**
     * Measures every queue in the order of `queues` at `now` (epoch milliseconds). Each count stops at `max`. Only
     * active subscriptions count. An event for which three subscriptions wait counts three times.
     */
    readonly read: (now: number, max: number) => Effect.Effect<ReadonlyArray<Backlog>, StoreUnavailable>
    /**
     * Counts the entries of every queue, in the order of `queues`, that failed finally at `since` (epoch milliseconds)
     * or later. Jobs and calls of webhooks that failed finally are not stored, so those whose last attempt failed are
     * counted. Each count stops at `max`.
     */
    readonly failed: (since: number, max: number) => Effect.Effect<ReadonlyArray<FailedWork>, StoreUnavailable>
    /** Counts waiting jobs by kind, in the order of the kinds. Considers at most `max` jobs. */
    readonly jobs: (max: number) => Effect.Effect<ReadonlyArray<WaitingJobs>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/Backlogs") {}
