import { Context, type Effect } from "effect"
import type { FirstSync } from "../../../domain/crm/FirstSync.ts"
import type { CrmInstall, CrmLocation, LocationNotFound, LocationTaken } from "../../../domain/crm/Location.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The CRM locations and their tenants. */
export class CrmLocations extends Context.Service<
  CrmLocations,
  {
    /** Returns a location by id, or null. It needs no tenant id, because a webhook finds the tenant by the location. */
    readonly find: (locationId: string) => Effect.Effect<CrmLocation | null, StoreUnavailable>
    /** Returns the tenant of a location, or null. */
    readonly tenantOf: (locationId: string) => Effect.Effect<string | null, StoreUnavailable>
    /** Lists all locations in the order of their ids. */
    readonly list: Effect.Effect<ReadonlyArray<CrmLocation>, StoreUnavailable>
    /** Lists the locations of one tenant in the order of their ids. */
    readonly ofTenant: (tenantId: string) => Effect.Effect<ReadonlyArray<CrmLocation>, StoreUnavailable>
    /** Creates or updates a location, and returns the stored record. An update does not change `createdAt`. */
    readonly put: (location: CrmLocation) => Effect.Effect<CrmLocation, LocationTaken | StoreUnavailable>
    readonly remove: (locationId: string) => Effect.Effect<void, LocationNotFound | StoreUnavailable>
  }
>()("core/port/repository/crm/CrmLocations") {}

/** Installations of the app in CRM locations, with their encrypted tokens. */
export class CrmInstalls extends Context.Service<
  CrmInstalls,
  {
    /** Returns the installation in a location, in any state; null if there is none. */
    readonly get: (tenantId: string, locationId: string) => Effect.Effect<CrmInstall | null, StoreUnavailable>
    /** Lists all installations of a tenant, oldest first. */
    readonly list: (tenantId: string) => Effect.Effect<ReadonlyArray<CrmInstall>, StoreUnavailable>
    readonly insert: (install: CrmInstall) => Effect.Effect<void, StoreUnavailable>
    /**
     * Replaces an installation if its stored version is still `version`, and increments the stored version. The version
     * in `install` is ignored. Returns false, without a write, when the stored version is another one.
     */
    readonly replace: (install: CrmInstall, version: number) => Effect.Effect<boolean, StoreUnavailable>
    readonly remove: (tenantId: string, locationId: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/crm/CrmLocations/CrmInstalls") {}

/** The progress of each location's first sync. A location has one record, which describes its latest first sync. */
export class CrmFirstSyncs extends Context.Service<
  CrmFirstSyncs,
  {
    readonly get: (tenantId: string, locationId: string) => Effect.Effect<FirstSync | null, StoreUnavailable>
    /** Lists the first syncs of a tenant in any order. */
    readonly list: (tenantId: string) => Effect.Effect<ReadonlyArray<FirstSync>, StoreUnavailable>
    readonly insert: (firstSync: FirstSync) => Effect.Effect<void, StoreUnavailable>
    /** Replaces a first sync under the same conditions as `CrmInstalls.replace`. */
    readonly replace: (firstSync: FirstSync, version: number) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/crm/CrmLocations/CrmFirstSyncs") {}
