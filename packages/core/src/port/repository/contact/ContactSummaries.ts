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

/** What is walked through: contacts that are archived or not, by one filter, with activity after a time. */
export interface ContactListWalk {
  readonly tenantId: string
  readonly archived: boolean
  readonly filter: ContactListFilter
  /** Epoch milliseconds, exclusive. */
  readonly activeAfter: number
  /** The walk goes on behind this key; null: it begins with the newest. */
  readonly after: ContactListKey | null
  readonly limit: number
}

/** Contacts by their last activity, with what lists of them are filtered by. Kept up to date by what changes it. */
export class ContactSummaries extends Context.Service<
  ContactSummaries,
  {
    /** Rows of the contact list, newest activity first, without contacts that were merged away. */
    readonly walk: (walk: ContactListWalk) => Effect.Effect<ReadonlyArray<ContactListRow>, StoreUnavailable>
    /** Summaries of contacts, in no order. */
    readonly read: (
      tenantId: string,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<ContactSummary>, StoreUnavailable>
  }
>()("core/port/repository/contact/ContactSummaries") {}
