import type { Effect } from "effect"
import { Context } from "effect"
import type {
  ContactListRow,
  ContactSummary,
  ContactListFilter,
  ContactListKey
} from "../../../domain/contact/ContactSummary.ts"
import type { ContactId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** One read of the contact list: active or archived contacts, by one filter, with activity after a time. */
export interface ContactListWalk {
  readonly tenantId: string
  readonly archived: boolean
  readonly filter: ContactListFilter
  /** Epoch milliseconds, exclusive. */
  readonly activeAfter: number
  /** The key after which the read continues. Null starts with the newest contact. */
  readonly after: ContactListKey | null
  readonly limit: number
}

/**
 * The contact list: contacts in the order of their last activity, with the columns that its filters use. The methods
 * that change these columns keep it up to date.
 */
export class ContactSummaries extends Context.Service<
  ContactSummaries,
  {
    /** Returns rows of the contact list, newest activity first, without merged contacts. */
    readonly walk: (walk: ContactListWalk) => Effect.Effect<ReadonlyArray<ContactListRow>, StoreUnavailable>
    /** Returns the summaries of contacts in any order. */
    readonly read: (
      tenantId: string,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<ContactSummary>, StoreUnavailable>
  }
>()("core/port/repository/contact/ContactSummaries") {}
