import { Context, type Effect } from "effect"
import type { FirstSync } from "../../../domain/crm/FirstSync.ts"
import type { CrmInstall, CrmLocation, LocationNotFound, LocationTaken } from "../../../domain/crm/Location.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

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
>()("core/port/repository/crm/CrmLocations") {}

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
>()("core/port/repository/crm/CrmLocations/CrmInstalls") {}

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
>()("core/port/repository/crm/CrmLocations/CrmFirstSyncs") {}
