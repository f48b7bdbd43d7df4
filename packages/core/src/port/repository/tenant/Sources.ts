import type { Effect } from "effect"
import { Context } from "effect"
import type { SourceExists, SourceNotFound, Source } from "../../../domain/access/Source.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Senders of custom events and their keys. A source whose `tenantId` is null may send for all tenants. */
export class Sources extends Context.Service<
  Sources,
  {
    readonly insert: (source: Source) => Effect.Effect<void, SourceExists | StoreUnavailable>
    /** Lists the sources of one tenant, or those for all tenants if `tenantId` is null, oldest first. */
    readonly list: (tenantId: string | null) => Effect.Effect<ReadonlyArray<Source>, StoreUnavailable>
    readonly remove: (
      tenantId: string | null,
      sourceId: string
    ) => Effect.Effect<void, SourceNotFound | StoreUnavailable>
    /** Returns the source whose key has this keyed hash, or null. */
    readonly findByHash: (hash: string) => Effect.Effect<Source | null, StoreUnavailable>
    /**
     * Returns true when at least one source key authorises requests to the events endpoint of this tenant and source.
     */
    readonly isConfigured: (tenantId: string, sourceId: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/tenant/Sources") {}
