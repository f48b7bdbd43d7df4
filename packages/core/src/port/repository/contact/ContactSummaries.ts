import type { Effect } from "effect"
import { Context } from "effect"
import type { ContactSort, ContactTraits } from "../../../domain/contact/ContactFilter.ts"
import type {
  ContactListRow,
  ContactSummary,
  ContactListFilter,
  ContactListKey,
  ContactListPlace
} from "../../../domain/contact/ContactSummary.ts"
import type { ContactId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** One read of the contact list: active or archived contacts, selected by one filter, with activity after a time. */
export interface ContactListWalk {
  readonly tenantId: string
  readonly archived: boolean
  readonly filter: ContactListFilter
  /** The time after which the contact must have had activity, in epoch milliseconds. */
  readonly activeAfter: number
  /** The key after which the read continues. Null starts with the newest contact. */
  readonly after: ContactListKey | null
  readonly limit: number
}

/** One read of the contact list in the order of creation, newest first, or of the names. */
export interface SortedContactWalk {
  readonly tenantId: string
  readonly archived: boolean
  readonly sort: Exclude<ContactSort, "last_activity">
  /** The place after which the read continues. Null starts at the beginning. */
  readonly after: ContactListPlace | null
  readonly limit: number
}

/**
 * The contact list: one row for each contact, ordered by last activity, with the columns that the filters use. The
 * other ports keep these columns current in their own write methods.
 */
export class ContactSummaries extends Context.Service<
  ContactSummaries,
  {
    /** Returns rows of the contact list, newest activity first. Merged contacts are not included. */
    readonly walk: (walk: ContactListWalk) => Effect.Effect<ReadonlyArray<ContactListRow>, StoreUnavailable>
    /** Returns rows of the contact list with their places in the order. Contacts without a name come last. */
    readonly walkSorted: (
      walk: SortedContactWalk
    ) => Effect.Effect<ReadonlyArray<ContactListRow & ContactListPlace>, StoreUnavailable>
    /** Returns those of the given contacts that have all the traits. */
    readonly having: (
      tenantId: string,
      contactIds: ReadonlyArray<ContactId>,
      traits: ContactTraits
    ) => Effect.Effect<ReadonlySet<ContactId>, StoreUnavailable>
    /** Returns the summaries of the given contacts, in any order. */
    readonly read: (
      tenantId: string,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<ContactSummary>, StoreUnavailable>
  }
>()("core/port/repository/contact/ContactSummaries") {}
