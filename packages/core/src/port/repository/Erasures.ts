import { Context, Effect, Layer } from "effect"
import type { Erasure } from "../../domain/privacy/Erasure.ts"
import { by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

/** Where a page of erasures ends. They are listed newest first. */
export interface ErasureKey {
  readonly requestedAt: number
  readonly erasureId: string
}

const oldestFirst = by<ErasureKey>(
  (key) => key.requestedAt,
  (key) => key.erasureId
)

/** Which contacts were erased, and the objects that are still to be taken away for it. */
export class Erasures extends Context.Service<
  Erasures,
  {
    readonly ofContact: (tenantId: string, contactId: string) => Effect.Effect<Erasure | null, StoreUnavailable>
    /** Writes an erasure, or how far it has come. */
    readonly save: (erasure: Erasure) => Effect.Effect<void, StoreUnavailable>
    /** Newest first, after `after`. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: ErasureKey | null
    ) => Effect.Effect<ReadonlyArray<Erasure>, StoreUnavailable>
    /** Which of these contacts were erased, or are being. */
    readonly among: (
      tenantId: string,
      contactIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /** Notes objects that nothing refers to any more. */
    readonly addObjects: (
      tenantId: string,
      erasureId: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Objects that are still to be taken away, the first `limit`. */
    readonly objects: (
      tenantId: string,
      erasureId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Forgets objects that have been taken away. */
    readonly dropObjects: (
      tenantId: string,
      erasureId: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/Erasures") {
  static readonly layerMemory: Layer.Layer<Erasures> = Layer.effect(
    Erasures,
    Effect.map(MemoryState, ({ erasureObjects, erasures }) => {
      const objectsOf = (tenantId: string, erasureId: string): ReadonlyArray<string> => [
        ...(erasureObjects.get(keyOf(tenantId, erasureId)) ?? [])
      ]
      return Erasures.of({
        ofContact: (tenantId, contactId) => Effect.sync(() => erasures.get(keyOf(tenantId, contactId)) ?? null),
        save: (erasure) => Effect.sync(() => void erasures.set(keyOf(erasure.tenantId, erasure.contactId), erasure)),
        page: (tenantId, limit, after) =>
          Effect.sync(() =>
            ofTenant(erasures, tenantId)
              .filter((erasure) => after === null || oldestFirst(erasure, after) < 0)
              .toSorted((one, other) => oldestFirst(other, one))
              .slice(0, limit)
          ),
        among: (tenantId, contactIds) =>
          Effect.sync(() => new Set(contactIds.filter((contactId) => erasures.has(keyOf(tenantId, contactId))))),
        addObjects: (tenantId, erasureId, keys) =>
          Effect.sync(
            () =>
              void erasureObjects.set(keyOf(tenantId, erasureId), new Set([...objectsOf(tenantId, erasureId), ...keys]))
          ),
        objects: (tenantId, erasureId, limit) =>
          Effect.sync(() => objectsOf(tenantId, erasureId).toSorted().slice(0, limit)),
        dropObjects: (tenantId, erasureId, keys) =>
          Effect.sync(() => {
            const gone = new Set(keys)
            const left = objectsOf(tenantId, erasureId).filter((key) => !gone.has(key))
            erasureObjects.set(keyOf(tenantId, erasureId), new Set(left))
          })
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
