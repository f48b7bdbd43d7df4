import type { Effect } from "effect"
import { Context } from "effect"
import type { MergeNotFound, ContactMerge, MovedCounts } from "../../../domain/contact/ContactMerge.ts"
import type { ContactId, MergeId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * Contact merges: the journal, the rows that each merge moved, and the statements that move them. Call every method
 * inside a unit of work.
 */
export class ContactMerges extends Context.Service<
  ContactMerges,
  {
    readonly insert: (merge: ContactMerge) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, mergeId: string) => Effect.Effect<ContactMerge, MergeNotFound | StoreUnavailable>
    /** Marks a merge as undone and deletes the list of its moved rows. */
    readonly end: (tenantId: string, mergeId: MergeId, at: number) => Effect.Effect<void, StoreUnavailable>
    /** Returns the last merge into a contact that was not undone. */
    readonly latestOf: (tenantId: string, primaryId: ContactId) => Effect.Effect<ContactMerge | null, StoreUnavailable>
    /** Lists merges into a contact that were not undone, the last one first. */
    readonly ofPrimary: (
      tenantId: string,
      primaryId: ContactId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ContactMerge>, StoreUnavailable>
    /** Returns the active merge that archived a duplicate, or null. */
    readonly ofDuplicate: (
      tenantId: string,
      duplicateId: ContactId
    ) => Effect.Effect<ContactMerge | null, StoreUnavailable>
    /**
     * Returns the time of the newest message, lead, task, draft, activity or call of the contacts. 0 when there is
     * none.
     */
    readonly youngest: (
      tenantId: string,
      contactIds: readonly [ContactId, ContactId]
    ) => Effect.Effect<number, StoreUnavailable>
    /**
     * Moves all rows of the duplicate to the primary contact and records them under the merge. Runs and sends move with
     * their messages. A contact has at most one pending draft: of two, the older one becomes superseded.
     */
    readonly move: (merge: ContactMerge) => Effect.Effect<MovedCounts, StoreUnavailable>
    /**
     * Moves the recorded rows back to the duplicate, as far as the primary contact still has them, and returns the keys
     * of the moved identities. It also moves newer rows (after `watermark`) that belong to them:
     * - emails from a returned address
     * - text messages and calls from or to a returned number
     * - leads in which only the duplicate has written
     * - messages, tasks, drafts, calls and activities of a returned lead, except text messages and calls with a number that the
     *   primary contact keeps
     */
    readonly moveBack: (merge: ContactMerge) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /**
     * Makes a draft pending again that the merge superseded, unless its contact has another pending draft or a newer
     * message.
     */
    readonly restoreDrafts: (merge: ContactMerge) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/ContactMerges") {}
