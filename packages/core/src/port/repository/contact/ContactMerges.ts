import type { Effect } from "effect"
import { Context } from "effect"
import type { MergeNotFound, ContactMerge, MovedCounts } from "../../../domain/contact/ContactMerge.ts"
import type { ContactId, MergeId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * Contact merges: the record of each merge, the rows that it moved, and the statements that move rows. Call every
 * method inside a unit of work.
 */
export class ContactMerges extends Context.Service<
  ContactMerges,
  {
    readonly insert: (merge: ContactMerge) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, mergeId: string) => Effect.Effect<ContactMerge, MergeNotFound | StoreUnavailable>
    /** Marks a merge as undone, and deletes the list of its moved rows. */
    readonly end: (tenantId: string, mergeId: MergeId, at: number) => Effect.Effect<void, StoreUnavailable>
    /** Returns the last merge into a contact that was not undone; null if there is none. */
    readonly latestOf: (tenantId: string, primaryId: ContactId) => Effect.Effect<ContactMerge | null, StoreUnavailable>
    /** Lists the merges into a contact that were not undone, the last one first. */
    readonly ofPrimary: (
      tenantId: string,
      primaryId: ContactId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ContactMerge>, StoreUnavailable>
    /**
     * Returns the merge in which this contact was the duplicate, unless it was undone. Returns null if there is none.
     */
    readonly ofDuplicate: (
      tenantId: string,
      duplicateId: ContactId
    ) => Effect.Effect<ContactMerge | null, StoreUnavailable>
    /**
     * Returns the time of the newest message, lead, task, draft, activity or call of both contacts. Returns 0 when
     * there is none.
     */
    readonly youngest: (
      tenantId: string,
      contactIds: readonly [ContactId, ContactId]
    ) => Effect.Effect<number, StoreUnavailable>
    /**
     * Moves all rows of the duplicate to the primary contact, and records them as moved by this merge. Runs and sends
     * follow their messages. A contact has at most one pending draft. If both contacts have one, the older draft
     * becomes superseded.
     */
    readonly move: (merge: ContactMerge) => Effect.Effect<MovedCounts, StoreUnavailable>
    /**
     * Moves the recorded rows back to the duplicate, except rows that the primary contact no longer has. Returns the
     * keys of the identities that it moved. It also moves rows newer than `watermark` that belong to the moved rows:
     * - emails from a returned address
     * - text messages and calls from or to a returned number
     * - leads in which only the duplicate has written
     * - messages, tasks, drafts, calls and activities of a returned lead, except text messages and calls with a number
     *   that the primary contact keeps
     */
    readonly moveBack: (merge: ContactMerge) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /**
     * Restores the draft that the merge superseded to pending, unless the draft's contact has another pending draft or
     * a newer message.
     */
    readonly restoreDrafts: (merge: ContactMerge) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/ContactMerges") {}
