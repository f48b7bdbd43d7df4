import type { Effect } from "effect"
import { Context } from "effect"
import type { ConfigChange } from "../../../domain/tenant/ConfigChange.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

/** Who changed the configuration of a tenant, one line for each version that was saved. */
export class ConfigChanges extends Context.Service<
  ConfigChanges,
  {
    /** Adds the line of a version; belongs into the unit of work that saves the version. */
    readonly insert: (change: ConfigChange) => Effect.Effect<void, StoreUnavailable>
    /** Newest first, of versions below `before`; null: from the newest. */
    readonly page: (
      tenantId: string,
      limit: number,
      before: number | null
    ) => Effect.Effect<ReadonlyArray<ConfigChange>, StoreUnavailable>
    /** The line of one version; null: there is none, as of the version that a tenant begins with. */
    readonly find: (tenantId: string, version: number) => Effect.Effect<ConfigChange | null, StoreUnavailable>
  }
>()("core/port/repository/tenant/ConfigChanges") {}
