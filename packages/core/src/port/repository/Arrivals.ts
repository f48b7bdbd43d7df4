import { Context, Effect, Layer } from "effect"
import type { Arrival, ArrivalOutcome } from "../../domain/conversation/Arrival.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

/** The inbound ledger. */
export class Arrivals extends Context.Service<
  Arrivals,
  {
    readonly record: (arrival: Arrival) => Effect.Effect<void, StoreUnavailable>
    /** How many arrivals of a tenant ended how. */
    readonly counts: (
      tenantId: string
    ) => Effect.Effect<ReadonlyArray<{ readonly outcome: ArrivalOutcome; readonly count: number }>, StoreUnavailable>
  }
>()("core/port/repository/Arrivals") {
  static readonly layerMemory: Layer.Layer<Arrivals> = Layer.effect(
    Arrivals,
    Effect.map(MemoryState, (state) => {
      return Arrivals.of({
        record: (arrival) => addNew(state.arrivals, keyOf(arrival.tenantId, arrival.arrivalId), arrival),
        counts: (tenantId) =>
          Effect.sync(() => {
            const counts = new Map<ArrivalOutcome, number>()
            for (const { outcome } of ofTenant(state.arrivals, tenantId)) {
              counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
            }
            return [...counts].map(([outcome, count]) => ({ outcome, count })).toSorted(by(({ outcome }) => outcome))
          })
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
