import type { Channel } from "../Channel.ts"
import type { ContactId, LeadId } from "../Id.ts"
import type { LeadState } from "../lead/LeadState.ts"
import type { Tier } from "../lead/Score.ts"
import type { Contact } from "./Contact.ts"

/** A row of the contact list, with the columns that the filters of the list use. */
export interface ContactListRow {
  readonly contactId: ContactId
  /**
   * The time of the newest message, in epoch milliseconds. For a contact without messages, the time of its creation.
   */
  readonly lastActivityAt: number
  /** The channel of the newest message. */
  readonly channel: Channel | null
  /** The state of the lead in the contact's conversation. */
  readonly state: LeadState | null
  readonly tier: Tier | null
  readonly hasEmail: boolean
  readonly hasPhone: boolean
}

/** A contact with its latest activity. */
export interface ContactSummary extends Omit<ContactListRow, "hasEmail" | "hasPhone" | "contactId"> {
  readonly contact: Contact
  readonly lastMessage: string | null
  readonly unread: number
  readonly leadId: LeadId | null
  readonly score: number | null
}

/** The filter that an index answers. Other filters are applied row by row. */
export type ContactListFilter =
  | { readonly by: "nothing" }
  | { readonly by: "tag"; readonly value: string }
  | { readonly by: "tier"; readonly value: Tier }
  | { readonly by: "state"; readonly value: LeadState }
  | { readonly by: "channel"; readonly value: Channel }

/** The position of a row in the contact list, which is ordered by last activity, newest first. */
export interface ContactListKey {
  readonly lastActivityAt: number
  readonly contactId: string
}

/** The position of a row in any order of the contact list. */
export interface ContactListPlace {
  /** The value by which the list is ordered: a time in epoch milliseconds, or the name for comparison. */
  readonly at: number | string
  readonly contactId: string
}
