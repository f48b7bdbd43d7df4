import { Context, Effect, Layer } from "effect"
import type { FirstSync } from "../../domain/crm/FirstSync.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

/** How far the contacts of each location have been brought together as a whole. A location has one, the latest. */
export class CrmFirstSyncs extends Context.Service<
  CrmFirstSyncs,
  {
    readonly get: (tenantId: string, locationId: string) => Effect.Effect<FirstSync | null, StoreUnavailable>
    /** Those of a tenant, in no particular order. */
    readonly list: (tenantId: string) => Effect.Effect<ReadonlyArray<FirstSync>, StoreUnavailable>
    readonly insert: (firstSync: FirstSync) => Effect.Effect<void, StoreUnavailable>
    /** As `CrmInstalls.replace`. */
    readonly replace: (firstSync: FirstSync, version: number) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/CrmFirstSyncs") {
  static readonly layerMemory: Layer.Layer<CrmFirstSyncs> = Layer.effect(
    CrmFirstSyncs,
    Effect.map(MemoryState, ({ crmFirstSyncs }) =>
      CrmFirstSyncs.of({
        get: (tenantId, locationId) => Effect.sync(() => crmFirstSyncs.get(keyOf(tenantId, locationId)) ?? null),
        list: (tenantId) => Effect.sync(() => ofTenant(crmFirstSyncs, tenantId)),
        insert: (firstSync) => addNew(crmFirstSyncs, keyOf(firstSync.tenantId, firstSync.locationId), firstSync),
        replace: (firstSync, version) =>
          Effect.sync(() => {
            const key = keyOf(firstSync.tenantId, firstSync.locationId)
            if (crmFirstSyncs.get(key)?.version !== version) return false
            crmFirstSyncs.set(key, { ...firstSync, version: version + 1 })
            return true
          })
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
