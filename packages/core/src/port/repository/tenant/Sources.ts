import type { Effect } from "effect"
import { Context } from "effect"
import type { SourceExists, SourceNotFound, Source } from "../../../domain/access/Source.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Senders of custom events and their keys. `tenantId` null is the scope of all tenants. */
export class Sources extends Context.Service<
  Sources,
  {
    readonly insert: (source: Source) => Effect.Effect<void, SourceExists | StoreUnavailable>
    /** Oldest first. */
    readonly list: (tenantId: string | null) => Effect.Effect<ReadonlyArray<Source>, StoreUnavailable>
    readonly remove: (
      tenantId: string | null,
      sourceId: string
    ) => Effect.Effect<void, SourceNotFound | StoreUnavailable>
    /** The source whose key has this keyed hash, or null. */
    readonly findByHash: (hash: string) => Effect.Effect<Source | null, StoreUnavailable>
    /** Whether any key exists that this event URL could be called with. */
    readonly isConfigured: (tenantId: string, sourceId: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("core/port/repository/tenant/Sources") {}
