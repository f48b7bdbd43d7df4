import type { Effect } from "effect"
import { Context } from "effect"
import type { LocationNotFound, LocationTaken, CrmLocation } from "../../../domain/crm/Location.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

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
