import { Context, Effect, Layer } from "effect"
import { type CrmLocation, LocationNotFound, LocationTaken } from "../../domain/crm/Location.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { by, MemoryState } from "../../memory/MemoryState.ts"

/** Which locations of the CRM stand for which tenants. */
export class CrmLocations extends Context.Service<
  CrmLocations,
  {
    /** A location by its id, of whichever tenant, or null. Asked before the tenant is known. */
    readonly find: (locationId: string) => Effect.Effect<CrmLocation | null, StoreUnavailable>
    /** The tenant that a location stands for, or null. */
    readonly tenantOf: (locationId: string) => Effect.Effect<string | null, StoreUnavailable>
    /** Every location, by its id. */
    readonly list: Effect.Effect<ReadonlyArray<CrmLocation>, StoreUnavailable>
    /** The locations of one tenant, by their ids. */
    readonly ofTenant: (tenantId: string) => Effect.Effect<ReadonlyArray<CrmLocation>, StoreUnavailable>
    /** Writes a location down, or what has changed of it, and returns it as it stands: `createdAt` is that of the first time. */
    readonly put: (location: CrmLocation) => Effect.Effect<CrmLocation, LocationTaken | StoreUnavailable>
    readonly remove: (locationId: string) => Effect.Effect<void, LocationNotFound | StoreUnavailable>
  }
>()("core/port/repository/CrmLocations") {
  static readonly layerMemory: Layer.Layer<CrmLocations> = Layer.effect(
    CrmLocations,
    Effect.map(MemoryState, ({ crmLocations }) => {
      const sorted = () => [...crmLocations.values()].toSorted(by(({ locationId }) => locationId))
      return CrmLocations.of({
        find: (locationId) => Effect.sync(() => crmLocations.get(locationId) ?? null),
        tenantOf: (locationId) => Effect.sync(() => crmLocations.get(locationId)?.tenantId ?? null),
        list: Effect.sync(sorted),
        ofTenant: (tenantId) => Effect.sync(() => sorted().filter((location) => location.tenantId === tenantId)),
        put: (location) =>
          Effect.suspend(() => {
            const { locationId, tenantId } = location
            const there = crmLocations.get(locationId)
            if (there !== undefined && there.tenantId !== tenantId) {
              return Effect.fail(new LocationTaken({ locationId }))
            }
            const kept = { ...location, createdAt: there?.createdAt ?? location.createdAt }
            crmLocations.set(locationId, kept)
            return Effect.succeed(kept)
          }),
        remove: (locationId) =>
          Effect.suspend(() =>
            crmLocations.delete(locationId) ? Effect.void : Effect.fail(new LocationNotFound({ locationId }))
          )
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
