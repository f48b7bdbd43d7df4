import { Effect } from "effect"
import { emailIdentity } from "../../domain/contact/Identity.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { domainOf } from "../../domain/address/Address.ts"
import { registrableDomain } from "../../domain/email/Mailbox.ts"
import type { Cause } from "../../domain/reason/Reason.ts"
import { isPublicMailbox } from "../../domain/email/PublicMailbox.ts"
import { replyRecipients } from "../../domain/reply/ReplyRecipients.ts"

/** The recipient of an automatic reply. A person may have to confirm it. */
export interface AutomaticRecipient {
  /** The normalised address. Null when the mail has no correspondent outside the tenant. */
  readonly email: string | null
  /** The reason why a person must confirm the recipient. Null when there is none. */
  readonly diverted: Cause | null
}

/** Returns whether two addresses have the same registered domain, and this domain is not a public mail host. */
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
 * Returns the recipient of an automatic reply. Reply-To is used only if it belongs to the sender's organisation or to
 * the contact; otherwise a person must confirm it. Without this rule, an attacker could forge From and Reply-To, and
 * get a reply with data of the contact.
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
