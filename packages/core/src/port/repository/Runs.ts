import { Context, Effect, Layer } from "effect"
import type { Run, RunQuery } from "../../domain/run/Run.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

/** Passages through the pipeline, one a signal. */
export class Runs extends Context.Service<
  Runs,
  {
    readonly insert: (run: Run) => Effect.Effect<void, StoreUnavailable>
    /** The run of a signal, or null while there is none. */
    readonly ofSignal: (tenantId: string, signalId: string) => Effect.Effect<Run | null, StoreUnavailable>
    /** Runs by the age of their messages, newest first, those before the signal `before`. */
    readonly page: (
      tenantId: string,
      query: RunQuery,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<Run>, StoreUnavailable>
  }
>()("core/port/repository/Runs") {
  static readonly layerMemory: Layer.Layer<Runs> = Layer.effect(
    Runs,
    Effect.map(MemoryState, (state) => {
      return Runs.of({
        insert: (run) => addNew(state.runs, keyOf(run.tenantId, run.signalId), run),
        ofSignal: (tenantId, signalId) => Effect.sync(() => state.runs.get(keyOf(tenantId, signalId)) ?? null),
        page: (tenantId, { contactId, leadId }, limit, before) =>
          Effect.sync(() =>
            ofTenant(state.runs, tenantId)
              .filter((run) => contactId === null || run.contactId === contactId)
              .filter((run) => leadId === null || run.leadId === leadId)
              .filter((run) => before === null || run.signalId < before)
              .toSorted(by(({ signalId }) => signalId))
              .toReversed()
              .slice(0, limit)
          )
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
