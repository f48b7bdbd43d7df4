import { Context, Effect, Layer, Semaphore } from "effect"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** All-or-nothing units of work across every store port. */
export class Transactions extends Context.Service<
  Transactions,
  {
    /**
     * Runs a unit of work so that everything it wrote is there when this returns, or nothing is when it fails.
     * Units run one after another; many that wait at once may share one durable commit. A unit touches store ports
     * only: no network, no sleeping. A unit inside a unit becomes part of it.
     */
    readonly atomically: <A, Err, R>(unit: Effect.Effect<A, Err, R>) => Effect.Effect<A, Err | StoreUnavailable, R>
  }
>()("core/port/Transactions") {
  /** Runs units one at a time. A unit that fails is not undone: the memory twins keep no journal. */
  static readonly layerMemory = Layer.effect(
    Transactions,
    Effect.gen(function* () {
      const turn = yield* Semaphore.make(1)
      const inside = Context.Reference<boolean>("core/port/Transactions/inside", { defaultValue: () => false })
      return Transactions.of({
        atomically: (unit) =>
          Effect.flatMap(inside, (nested) =>
            nested ? unit : turn.withPermits(1)(Effect.provideService(unit, inside, true))
          )
      })
    })
  )
}
