import type { Effect } from "effect"
import { Context } from "effect"
import type { Erasure } from "../../../domain/privacy/Erasure.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Where a page of erasures ends. They are listed newest first. */
export interface ErasureKey {
  readonly requestedAt: number
  readonly erasureId: string
}

/** Which contacts were erased, and the objects that are still to be taken away for it. */
export class Erasures extends Context.Service<
  Erasures,
  {
    readonly ofContact: (tenantId: string, contactId: string) => Effect.Effect<Erasure | null, StoreUnavailable>
    /** Writes an erasure, or how far it has come. */
    readonly save: (erasure: Erasure) => Effect.Effect<void, StoreUnavailable>
    /** Newest first, after `after`. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: ErasureKey | null
    ) => Effect.Effect<ReadonlyArray<Erasure>, StoreUnavailable>
    /** Which of these contacts were erased, or are being. */
    readonly among: (
      tenantId: string,
      contactIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /** Notes objects that nothing refers to any more. */
    readonly addObjects: (
      tenantId: string,
      erasureId: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Objects that are still to be taken away, the first `limit`. */
    readonly objects: (
      tenantId: string,
      erasureId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Forgets objects that have been taken away. */
    readonly dropObjects: (
      tenantId: string,
      erasureId: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/Erasures") {}
