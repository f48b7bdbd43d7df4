import { Context, Effect, Layer } from "effect"
import type { OutboundEvent } from "../webhook/Event.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import { MemoryState } from "./MemoryState.ts"

/** An outbound event with its place in the tenant's order. */
export interface SequencedEvent {
  /** Counts up by one within a tenant, without gaps, from 1. */
  readonly sequence: number
  readonly event: OutboundEvent
}

/** The outbox of outbound events: written in the same unit of work as the change they tell of. */
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
  }
>()("core/port/Events") {
  static readonly layerMemory: Layer.Layer<Events> = Layer.effect(
    Events,
    Effect.map(MemoryState, (state) => {
      return Events.of({
        append: (tenantId, events) =>
          Effect.sync(() => void state.events.set(tenantId, [...(state.events.get(tenantId) ?? []), ...events])),
        after: (tenantId, sequence, limit) =>
          Effect.sync(() =>
            (state.events.get(tenantId) ?? [])
              .map((event, index) => ({ sequence: index + 1, event }))
              .slice(sequence, sequence + limit)
          )
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
