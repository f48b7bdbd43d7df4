import type { Effect } from "effect"
import { Context } from "effect"
import type { Draft } from "../../../domain/draft/Draft.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * Replies that wait for a person. A contact has at most one pending draft. When a draft stops being pending, for any
 * reason, its task is completed in the same unit of work.
 */
export class Drafts extends Context.Service<
  Drafts,
  {
    /** Stores a pending draft. An earlier pending draft of the contact becomes superseded. */
    readonly propose: (draft: Draft) => Effect.Effect<void, StoreUnavailable>
    /** Marks the contact's pending draft as superseded. */
    readonly supersede: (tenantId: string, contactId: string) => Effect.Effect<void, StoreUnavailable>
    /**
     * Marks the contact's pending draft as superseded, if the message that it answers was written at or before a time
     * (epoch milliseconds).
     */
    readonly supersedeOlder: (
      tenantId: string,
      contactId: string,
      writtenAt: number
    ) => Effect.Effect<void, StoreUnavailable>
    readonly find: (tenantId: string, draftId: string) => Effect.Effect<Draft | null, StoreUnavailable>
    readonly pending: (tenantId: string, contactId: string) => Effect.Effect<Draft | null, StoreUnavailable>
    /** Returns the contact's newest draft in any state. */
    readonly newest: (tenantId: string, contactId: string) => Effect.Effect<Draft | null, StoreUnavailable>
    /** Changes a pending draft to its final state. A draft that is not pending does not change. */
    readonly end: (
      tenantId: string,
      draftId: string,
      state: "sent" | "dismissed"
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Reverts the sending of a draft. `pending`: the draft and its task become pending again. `superseded`: the draft
     * becomes superseded. The contact must have no other pending draft.
     */
    readonly restore: (
      tenantId: string,
      draftId: string,
      state: "pending" | "superseded"
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/conversation/Drafts") {}
