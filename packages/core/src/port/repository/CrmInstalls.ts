import { Context, Effect, Layer } from "effect"
import type { CrmInstall } from "../../domain/crm/CrmInstall.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

/** Locations of a CRM that we have been let into, with the tokens, which are sealed. */
export class CrmInstalls extends Context.Service<
  CrmInstalls,
  {
    /** The install of a location, whatever its status; null: there never was one. */
    readonly get: (tenantId: string, locationId: string) => Effect.Effect<CrmInstall | null, StoreUnavailable>
    /** Every install of a tenant, oldest first. */
    readonly list: (tenantId: string) => Effect.Effect<ReadonlyArray<CrmInstall>, StoreUnavailable>
    readonly insert: (install: CrmInstall) => Effect.Effect<void, StoreUnavailable>
    /**
     * Writes an install in the place of the one of the given version, and counts the version up, whatever the new one says.
     * False: somebody else has changed it since, and nothing was written.
     */
    readonly replace: (install: CrmInstall, version: number) => Effect.Effect<boolean, StoreUnavailable>
    readonly remove: (tenantId: string, locationId: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/CrmInstalls") {
  static readonly layerMemory: Layer.Layer<CrmInstalls> = Layer.effect(
    CrmInstalls,
    Effect.map(MemoryState, ({ crmInstalls }) =>
      CrmInstalls.of({
        get: (tenantId, locationId) => Effect.sync(() => crmInstalls.get(keyOf(tenantId, locationId)) ?? null),
        list: (tenantId) =>
          Effect.sync(() =>
            ofTenant(crmInstalls, tenantId).toSorted(
              by(
                ({ installedAt }) => installedAt,
                ({ locationId }) => locationId
              )
            )
          ),
        insert: (install) => addNew(crmInstalls, keyOf(install.tenantId, install.locationId), install),
        replace: (install, version) =>
          Effect.sync(() => {
            const key = keyOf(install.tenantId, install.locationId)
            if (crmInstalls.get(key)?.version !== version) return false
            crmInstalls.set(key, { ...install, version: version + 1 })
            return true
          }),
        remove: (tenantId, locationId) => Effect.sync(() => crmInstalls.delete(keyOf(tenantId, locationId)))
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
