import type { Effect } from "effect"
import { Context } from "effect"
import type { FirstSync } from "../../../domain/crm/FirstSync.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

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
>()("core/port/repository/crm/CrmFirstSyncs") {}
