import { Context, Effect, Layer } from "effect"
import { type Source, SourceExists, SourceNotFound } from "../../domain/access/Source.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

/** Senders of custom events and their keys. `tenantId` null is the scope of all tenants. */
export class Sources extends Context.Service<
  Sources,
  {
    readonly insert: (source: Source) => Effect.Effect<void, SourceExists | StoreUnavailable>
    /** Oldest first. */
    readonly list: (tenantId: string | null) => Effect.Effect<ReadonlyArray<Source>, StoreUnavailable>
    readonly remove: (
      tenantId: string | null,
      sourceId: string
    ) => Effect.Effect<void, SourceNotFound | StoreUnavailable>
    /** The source whose key has this keyed hash, or null. */
    readonly findByHash: (hash: string) => Effect.Effect<Source | null, StoreUnavailable>
    /** Whether any key exists that this event URL could be called with. */
    readonly isConfigured: (tenantId: string, sourceId: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/Sources") {
  static readonly layerMemory: Layer.Layer<Sources> = Layer.effect(
    Sources,
    Effect.map(MemoryState, (state) => {
      const place = (tenantId: string | null, sourceId: string): string => keyOf(tenantId ?? "", sourceId)
      return Sources.of({
        insert: (source) =>
          Effect.suspend(() => {
            const key = place(source.tenantId, source.sourceId)
            if (state.sources.has(key)) return Effect.fail(new SourceExists({ sourceId: source.sourceId }))
            state.sources.set(key, source)
            return Effect.void
          }),
        list: (tenantId) =>
          Effect.sync(() =>
            ofTenant(state.sources, tenantId).toSorted(
              by(
                (source) => source.createdAt,
                (source) => source.sourceId
              )
            )
          ),
        remove: (tenantId, sourceId) =>
          Effect.suspend(() =>
            state.sources.delete(place(tenantId, sourceId))
              ? Effect.void
              : Effect.fail(new SourceNotFound({ sourceId }))
          ),
        findByHash: (hash) =>
          Effect.sync(() => [...state.sources.values()].find((source) => source.hash === hash) ?? null),
        isConfigured: (tenantId, sourceId) =>
          Effect.sync(() => state.sources.has(place(tenantId, sourceId)) || state.sources.has(place(null, sourceId)))
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
