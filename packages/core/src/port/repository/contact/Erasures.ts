import type { Effect } from "effect"
import { Context } from "effect"
import type { Erasure } from "../../../domain/privacy/Erasure.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The position of an erasure in the list. Lists are newest first. */
export interface ErasureKey {
  readonly requestedAt: number
  readonly erasureId: string
}

/** Erasures of contacts, and the objects that still have to be deleted for them. */
export class Erasures extends Context.Service<
  Erasures,
  {
    readonly ofContact: (tenantId: string, contactId: string) => Effect.Effect<Erasure | null, StoreUnavailable>
    /** Stores an erasure or its progress. */
    readonly save: (erasure: Erasure) => Effect.Effect<void, StoreUnavailable>
    /** Lists erasures after `after`, newest first. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: ErasureKey | null
    ) => Effect.Effect<ReadonlyArray<Erasure>, StoreUnavailable>
    /** Returns those of the given contacts whose erasure has started or is complete. */
    readonly among: (
      tenantId: string,
      contactIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /** Queues objects for deletion. No row may refer to these objects any more. */
    readonly addObjects: (
      tenantId: string,
      erasureId: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Lists the first `limit` objects that are queued for deletion. */
    readonly objects: (
      tenantId: string,
      erasureId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Removes deleted objects from the queue. */
    readonly dropObjects: (
      tenantId: string,
      erasureId: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/Erasures") {}
