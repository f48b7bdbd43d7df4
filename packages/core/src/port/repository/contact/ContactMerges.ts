import type { Effect } from "effect"
import { Context } from "effect"
import type { MergeNotFound, ContactMerge, MovedCounts } from "../../../domain/contact/ContactMerge.ts"
import type { ContactId, MergeId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Merges of contacts: their journal, what each moved, and the moving itself. Everything here runs inside a unit of work. */
export class ContactMerges extends Context.Service<
  ContactMerges,
  {
    readonly insert: (merge: ContactMerge) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, mergeId: string) => Effect.Effect<ContactMerge, MergeNotFound | StoreUnavailable>
    /** Notes that a merge has been undone. What it moved is forgotten. */
    readonly end: (tenantId: string, mergeId: MergeId, at: number) => Effect.Effect<void, StoreUnavailable>
    /** The last merge into a contact that is in effect. */
    readonly latestOf: (tenantId: string, primaryId: ContactId) => Effect.Effect<ContactMerge | null, StoreUnavailable>
    /** Merges into a contact that are in effect, the last first. */
    readonly ofPrimary: (
      tenantId: string,
      primaryId: ContactId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ContactMerge>, StoreUnavailable>
    /** The merge in effect that a contact went away with. */
    readonly ofDuplicate: (
      tenantId: string,
      duplicateId: ContactId
    ) => Effect.Effect<ContactMerge | null, StoreUnavailable>
    /** When the youngest message, lead, task, draft, activity or call of the contacts was made; 0 when there is none. */
    readonly youngest: (
      tenantId: string,
      contactIds: readonly [ContactId, ContactId]
    ) => Effect.Effect<number, StoreUnavailable>
    /**
     * Gives everything of the duplicate to the primary contact and notes it under the merge. Runs and sends go with their
     * messages. Of two pending drafts the older becomes superseded, because a contact has one at most.
     */
    readonly move: (merge: ContactMerge) => Effect.Effect<MovedCounts, StoreUnavailable>
    /**
     * Gives back what a merge moved, as far as the primary contact still has it, and what is younger than its watermark
     * and belongs to that: mails from a returned address, texts and calls from and to a returned number, leads that
     * only the duplicate has written to, and messages, tasks, drafts, calls and activities of returned leads, but for texts
     * and calls with a number that stays. Answers with the keys of the identities that went.
     */
    readonly moveBack: (merge: ContactMerge) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /** Lets the draft that a merge superseded wait again, unless something was said on its side since. */
    readonly restoreDrafts: (merge: ContactMerge) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/ContactMerges") {}
