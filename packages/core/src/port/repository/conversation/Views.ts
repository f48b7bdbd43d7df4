import type { Effect } from "effect"
import { Context } from "effect"
import type { View, ViewNotFound } from "../../../domain/conversation/View.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Saved views of the inbox. `userId` is the acting user. A user sees shared views and own ones. */
export class Views extends Context.Service<
  Views,
  {
    readonly insert: (view: View) => Effect.Effect<void, StoreUnavailable>
    /** Replaces an existing view. */
    readonly update: (view: View) => Effect.Effect<void, StoreUnavailable>
    readonly remove: (tenantId: string, viewId: string) => Effect.Effect<void, StoreUnavailable>
    /** Fails with `ViewNotFound` for an unknown id, another tenant's view and another user's private view. */
    readonly get: (
      tenantId: string,
      viewId: string,
      userId: string | null
    ) => Effect.Effect<View, ViewNotFound | StoreUnavailable>
    /** Lists the views that a user sees, after an id, oldest first. */
    readonly page: (
      tenantId: string,
      userId: string | null,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<View>, StoreUnavailable>
    /** Counts the shared views (`ownerId` null), or the private views of a user. */
    readonly count: (tenantId: string, ownerId: string | null) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/conversation/Views") {}
