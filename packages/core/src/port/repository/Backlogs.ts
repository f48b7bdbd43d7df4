import { Context, Effect, Layer } from "effect"
import { MemoryState } from "../../memory/MemoryState.ts"
import { isOpen } from "./Sends.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

/** Where things wait until a worker gets to them. `events`: outbound events that a subscription has not been sent. */
export const queues = ["signals", "sends", "errands", "events"] as const
export type Queue = (typeof queues)[number]

/** What waits in a queue though its time has come. */
export interface Backlog {
  readonly queue: Queue
  /** How much that is, counted up to a bound. */
  readonly due: number
  /** Since when the longest of it waits, epoch milliseconds; null: nothing waits. */
  readonly since: number | null
}

/** Sums up a queue by when each thing in it became due; null: nobody knows any more. */
const sumUp = (queue: Queue, times: ReadonlyArray<number | null>, now: number, most: number): Backlog => {
  const due = times.filter((time) => time === null || time <= now)
  const known = due.filter((time) => time !== null)
  return { queue, due: Math.min(due.length, most), since: known.length === 0 ? null : Math.min(...known) }
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
    readonly read: (now: number, most: number) => Effect.Effect<ReadonlyArray<Backlog>, StoreUnavailable>
  }
>()("core/port/repository/Backlogs") {
  static readonly layerMemory: Layer.Layer<Backlogs> = Layer.effect(
    Backlogs,
    Effect.map(MemoryState, ({ deliveries, errands, events, expiredEvents, sends, signals, subscriptions }) => {
      const active = () => [...subscriptions.values()].filter(({ status }) => status === "active")
      /** Those that are kept no longer count from the first one that is. */
      const behind = () =>
        active().flatMap(({ position, tenantId }) => {
          const all = events.get(tenantId) ?? []
          const firstKept = all.at(Math.max(position, expiredEvents.get(tenantId) ?? 0))
          return all.slice(position).map(() => firstKept?.timestamp ?? null)
        })
      const setAside = () =>
        active().flatMap(({ tenantId, webhookId }) =>
          [...deliveries.values()]
            .filter((row) => row.tenantId === tenantId && row.webhookId === webhookId && row.status === "pending")
            .map(({ dueAt }) => dueAt)
        )
      return Backlogs.of({
        read: (now, most) =>
          Effect.sync(() => {
            const times: Readonly<Record<Queue, ReadonlyArray<number | null>>> = {
              signals: [...signals.values()].filter(({ state }) => state === "queued").map(({ dueAt }) => dueAt),
              sends: [...sends.values()].filter(isOpen).map(({ dueAt }) => dueAt),
              errands: [...errands.values()].map(({ dueAt }) => dueAt),
              events: [...behind(), ...setAside()]
            }
            return queues.map((queue) => sumUp(queue, times[queue], now, most))
          })
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
