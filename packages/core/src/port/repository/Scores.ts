import { Context, Effect, Layer } from "effect"
import type { ScoreRecord } from "../../domain/lead/ScoreRecord.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

/** Every score that leads were ever given. */
export class Scores extends Context.Service<
  Scores,
  {
    readonly insert: (score: ScoreRecord) => Effect.Effect<void, StoreUnavailable>
    /** Scores of a lead, newest first, those before the score `before`; null: from the newest on. */
    readonly ofLead: (
      tenantId: string,
      leadId: string,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<ScoreRecord>, StoreUnavailable>
  }
>()("core/port/repository/Scores") {
  static readonly layerMemory: Layer.Layer<Scores> = Layer.effect(
    Scores,
    Effect.map(MemoryState, (state) =>
      Scores.of({
        insert: (score) => addNew(state.scores, keyOf(score.tenantId, score.scoreId), score),
        ofLead: (tenantId, leadId, limit, before) =>
          Effect.sync(() =>
            ofTenant(state.scores, tenantId)
              .filter((score) => score.leadId === leadId && (before === null || score.scoreId < before))
              .toSorted(by(({ scoreId }) => scoreId))
              .toReversed()
              .slice(0, limit)
          )
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
