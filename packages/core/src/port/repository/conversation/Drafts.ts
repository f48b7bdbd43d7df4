import type { Effect } from "effect"
import { Context } from "effect"
import type { Draft } from "../../../domain/draft/Draft.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * Replies waiting for a person. A contact has at most one pending draft. The task of a draft is done, in the same unit of
 * work, as soon as the draft is not pending any more, whatever the reason.
 */
export class Drafts extends Context.Service<
  Drafts,
  {
    /** Stores a pending draft; an older pending one of the contact becomes superseded. */
    readonly propose: (draft: Draft) => Effect.Effect<void, StoreUnavailable>
    /** Whatever is pending for the contact becomes superseded. */
    readonly supersede: (tenantId: string, contactId: string) => Effect.Effect<void, StoreUnavailable>
    /** The same when the message that it answers was written by this time, epoch milliseconds. */
    readonly supersedeOlder: (
      tenantId: string,
      contactId: string,
      writtenAt: number
    ) => Effect.Effect<void, StoreUnavailable>
    readonly find: (tenantId: string, draftId: string) => Effect.Effect<Draft | null, StoreUnavailable>
    readonly pending: (tenantId: string, contactId: string) => Effect.Effect<Draft | null, StoreUnavailable>
    /** The contact's newest draft, whatever became of it. */
    readonly newest: (tenantId: string, contactId: string) => Effect.Effect<Draft | null, StoreUnavailable>
    /** Ends a pending draft; one that has ended stays as it is. */
    readonly end: (
      tenantId: string,
      draftId: string,
      state: "sent" | "dismissed"
    ) => Effect.Effect<void, StoreUnavailable>
    /** Takes back that a draft was sent: it waits again, its task with it, or is superseded. Nothing else may be pending. */
    readonly restore: (
      tenantId: string,
      draftId: string,
      state: "pending" | "superseded"
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/conversation/Drafts") {}
