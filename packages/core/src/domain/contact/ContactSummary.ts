import type { Channel } from "../Channel.ts"
import type { ContactId, LeadId } from "../Id.ts"
import type { LeadState } from "../lead/LeadState.ts"
import type { Tier } from "../lead/Score.ts"
import type { Contact } from "./Contact.ts"

/** A row of the contact list: the columns that filter contacts, in the order of their last activity. */
export interface ContactListRow {
  readonly contactId: ContactId
  /** Time of the newest message; without one, when the contact was made. Epoch milliseconds. */
  readonly lastActivityAt: number
  /** Of the newest message. */
  readonly channel: Channel | null
  /** Of the lead that the conversation shows. */
  readonly state: LeadState | null
  readonly tier: Tier | null
  readonly hasEmail: boolean
  readonly hasPhone: boolean
}

/** A contact and how things stand with it. */
export interface ContactSummary extends Omit<ContactListRow, "hasEmail" | "hasPhone" | "contactId"> {
  readonly contact: Contact
  readonly lastMessage: string | null
  readonly unread: number
  readonly leadId: LeadId | null
  readonly score: number | null
}

/** The one filter that an index answers; whatever else is asked is looked at row by row. */
export type ContactListFilter =
  | { readonly by: "nothing" }
  | { readonly by: "tag"; readonly value: string }
  | { readonly by: "tier"; readonly value: Tier }
  | { readonly by: "state"; readonly value: LeadState }
  | { readonly by: "channel"; readonly value: Channel }

/** The last row that a walk through the contact list has read. Rows come by last activity, newest first. */
export interface ContactListKey {
  readonly lastActivityAt: number
  readonly contactId: string
}
