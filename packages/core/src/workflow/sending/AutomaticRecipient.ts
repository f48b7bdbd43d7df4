import { Effect } from "effect"
import { emailIdentity } from "../../domain/contact/Identity.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { domainOf } from "../../domain/address/Address.ts"
import { registrableDomain } from "../../domain/email/Mailbox.ts"
import type { Cause } from "../../domain/reason/Reason.ts"
import { isPublicMailbox } from "../../domain/email/PublicMailbox.ts"
import { replyRecipients } from "../../domain/reply/ReplyRecipients.ts"

/** The recipient of an automatic reply, with a possible objection. */
export interface AutomaticRecipient {
  /** The normalised address; null when the mail has no external correspondent. */
  readonly email: string | null
  /** The reason why a person has to decide about the recipient; null without one. */
  readonly diverted: Cause | null
}

/** Returns whether two addresses share a registrable domain that is not a public mail provider. */
export const areOfOneOrganisation = (one: string, other: string): boolean => {
  const domain = registrableDomain(domainOf(one))
  return domain !== "" && domain === registrableDomain(domainOf(other)) && !isPublicMailbox(domain)
}

const isOfContact = Effect.fnUntraced(function* ({ contactId, tenantId }: Message, email: string) {
  const identity = emailIdentity(email)
  const holders = identity === null ? [] : yield* (yield* Contacts).holders(tenantId, [identity])
  return holders.some(({ contact }) => contact.contactId === contactId)
})

/**
 * Returns the recipient of an automatic reply. Anybody can forge From and Reply-To, and a reply may contain data of the
 * contact. Reply-To is therefore used only when it belongs to the sender's organisation or to the contact. Otherwise a
 * person decides.
 */
export const automaticRecipient = Effect.fnUntraced(function* (message: Message, own: ReadonlyArray<string>) {
  const [email, ...more] = replyRecipients(message, own, false).to
  const { from } = message
  if (email === undefined) return { email: null, diverted: null } satisfies AutomaticRecipient
  if (more.length > 0) {
    return { email, diverted: { code: "several_recipients" } } satisfies AutomaticRecipient
  }
  const followed = email === from || (from !== null && areOfOneOrganisation(email, from))
  if (followed || (yield* isOfContact(message, email))) return { email, diverted: null } satisfies AutomaticRecipient
  return { email, diverted: { code: "foreign_reply_to", email } } satisfies AutomaticRecipient
})
