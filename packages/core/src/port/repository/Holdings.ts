import { Context, Effect, Layer } from "effect"
import { memoryHoldings } from "../../memory/HoldingsMemory.ts"
import type { HoldingsShape } from "./HoldingsShape.ts"
import { MemoryState } from "../../memory/MemoryState.ts"

/**
 * Everything that is kept for a tenant about the people who write to it, row by row and by kind (`rights/Kinds.ts`): what
 * an archive is written from and taken in by, and what erasing takes away.
 */
export class Holdings extends Context.Service<Holdings, HoldingsShape>()("core/port/repository/Holdings") {
  static readonly layerMemory: Layer.Layer<Holdings> = Layer.effect(
    Holdings,
    Effect.map(MemoryState, (state) => Holdings.of(memoryHoldings(state)))
  ).pipe(Layer.provide(MemoryState.layer))
}
