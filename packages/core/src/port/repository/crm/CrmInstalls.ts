import type { Effect } from "effect"
import { Context } from "effect"
import type { CrmInstall } from "../../../domain/crm/CrmInstall.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

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
>()("core/port/repository/crm/CrmInstalls") {}
