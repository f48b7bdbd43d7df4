import { Context, Effect, Layer, type Scope } from "effect"
import type { OutboundEvent } from "../../domain/webhook/Event.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { MemoryState } from "../../memory/MemoryState.ts"
import { makeWatchers } from "../system/WakeUp.ts"

/** An outbound event with its place in the tenant's order. */
export interface SequencedEvent {
  /** Counts up by one within a tenant, without gaps, from 1. */
  readonly sequence: number
  readonly event: OutboundEvent
}

/** Waits until there may be new events, or for so many milliseconds. */
export type EventWatch = (atMostMillis: number) => Effect.Effect<void>

/** The numbers of a tenant's events. */
export interface EventRange {
  /** Of the oldest that is kept; one more than `last` when none is. */
  readonly first: number
  /** Of the newest, kept or not; 0 before there is any. */
  readonly last: number
}

/**
 * The outbox of outbound events: written in the same unit of work as the change they tell of, and numbered in the order of
 * the commits. A reader that has seen a number never finds it or a lower one later.
 */
export class Events extends Context.Service<
  Events,
  {
    readonly append: (tenantId: string, events: ReadonlyArray<OutboundEvent>) => Effect.Effect<void, StoreUnavailable>
    /** Events of a tenant after a sequence number, in order. */
    readonly after: (
      tenantId: string,
      sequence: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SequencedEvent>, StoreUnavailable>
    /** Events of these numbers as far as they are kept, in order. */
    readonly pick: (
      tenantId: string,
      sequences: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<SequencedEvent>, StoreUnavailable>
    readonly range: (tenantId: string) => Effect.Effect<EventRange, StoreUnavailable>
    /**
     * Removes up to `limit` of the oldest events of a tenant that happened before a time, and what is kept of their
     * deliveries; answers how many events went. Never one that is behind a younger one that stays.
     */
    readonly expire: (tenantId: string, before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
    /** Tenants that have events, after a tenant, in order. */
    readonly tenants: (after: string, limit: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Begins to watch for events of a tenant, of every tenant for null; it misses none, and may see some that are not. */
    readonly watch: (tenantId: string | null) => Effect.Effect<EventWatch, never, Scope.Scope>
  }
>()("core/port/repository/Events") {
  static readonly layerMemory: Layer.Layer<Events> = Layer.effect(
    Events,
    Effect.map(MemoryState, (state) => {
      const { wake, watch } = makeWatchers()
      const floorOf = (tenantId: string): number => state.expiredEvents.get(tenantId) ?? 0
      const kept = (tenantId: string): ReadonlyArray<SequencedEvent> =>
        (state.events.get(tenantId) ?? [])
          .map((event, index) => ({ sequence: index + 1, event }))
          .filter(({ sequence }) => sequence > floorOf(tenantId))
      return Events.of({
        append: (tenantId, events) =>
          Effect.sync(() => {
            state.events.set(tenantId, [...(state.events.get(tenantId) ?? []), ...events])
            if (events.length > 0) wake(tenantId)
          }),
        after: (tenantId, sequence, limit) =>
          Effect.sync(() =>
            kept(tenantId)
              .filter((one) => one.sequence > sequence)
              .slice(0, limit)
          ),
        pick: (tenantId, sequences) =>
          Effect.sync(() => kept(tenantId).filter(({ sequence }) => sequences.includes(sequence))),
        range: (tenantId) =>
          Effect.sync(() => ({ first: floorOf(tenantId) + 1, last: state.events.get(tenantId)?.length ?? 0 })),
        expire: (tenantId, before, limit) =>
          Effect.sync(() => {
            const oldest = kept(tenantId).slice(0, limit)
            const stays = oldest.findIndex(({ event }) => event.timestamp >= before)
            const gone = stays === -1 ? oldest : oldest.slice(0, stays)
            const last = gone.at(-1)?.sequence
            if (last === undefined) return 0
            state.expiredEvents.set(tenantId, last)
            for (const [key, row] of state.deliveries) {
              if (row.tenantId === tenantId && row.sequence <= last) state.deliveries.delete(key)
            }
            for (const [key, { entry, tenantId: whose }] of state.deliveryLog) {
              if (whose === tenantId && entry.sequence <= last) state.deliveryLog.delete(key)
            }
            return gone.length
          }),
        tenants: (after, limit) =>
          Effect.sync(() =>
            [...state.events.keys()]
              .filter((tenantId) => tenantId > after)
              .toSorted()
              .slice(0, limit)
          ),
        watch
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
