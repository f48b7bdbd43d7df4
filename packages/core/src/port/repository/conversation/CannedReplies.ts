import type { Effect } from "effect"
import { Context } from "effect"
import type {
  CannedReply,
  CannedReplyKey,
  CannedReplyNotFound,
  CannedReplyQuery
} from "../../../domain/reply/CannedReply.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The canned replies of tenants. */
export class CannedReplies extends Context.Service<
  CannedReplies,
  {
    readonly insert: (reply: CannedReply) => Effect.Effect<void, StoreUnavailable>
    /** Fails with `CannedReplyNotFound` for an unknown id and for another tenant's. */
    readonly get: (
      tenantId: string,
      cannedReplyId: string
    ) => Effect.Effect<CannedReply, CannedReplyNotFound | StoreUnavailable>
    /** Returns the canned reply with a shortcut; null if there is none. */
    readonly withShortcut: (tenantId: string, shortcut: string) => Effect.Effect<CannedReply | null, StoreUnavailable>
    /** Replaces an existing canned reply. Does nothing for an unknown one. */
    readonly update: (reply: CannedReply) => Effect.Effect<void, StoreUnavailable>
    readonly remove: (tenantId: string, cannedReplyId: string) => Effect.Effect<void, StoreUnavailable>
    /** Counts one use at a time (epoch milliseconds). */
    readonly countUse: (tenantId: string, cannedReplyId: string, at: number) => Effect.Effect<void, StoreUnavailable>
    readonly count: (tenantId: string) => Effect.Effect<number, StoreUnavailable>
    /** Lists the canned replies that match a filter after `after`, by name. */
    readonly page: (
      tenantId: string,
      query: CannedReplyQuery,
      limit: number,
      after: CannedReplyKey | null
    ) => Effect.Effect<ReadonlyArray<CannedReply>, StoreUnavailable>
  }
>()("core/port/repository/conversation/CannedReplies") {}
