import { Context, Effect, Layer } from "effect"
import type { Run } from "../pipeline/Run.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import { addNew, keyOf, MemoryState } from "./MemoryState.ts"

/** Passages through the pipeline, one a signal. */
export class Runs extends Context.Service<
  Runs,
  {
    readonly insert: (run: Run) => Effect.Effect<void, StoreUnavailable>
    /** The run of a signal, or null while there is none. */
    readonly ofSignal: (tenantId: string, signalId: string) => Effect.Effect<Run | null, StoreUnavailable>
  }
>()("core/port/Runs") {
  static readonly layerMemory: Layer.Layer<Runs> = Layer.effect(
    Runs,
    Effect.map(MemoryState, (state) => {
      return Runs.of({
        insert: (run) => addNew(state.runs, keyOf(run.tenantId, run.signalId), run),
        ofSignal: (tenantId, signalId) => Effect.sync(() => state.runs.get(keyOf(tenantId, signalId)) ?? null)
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
