import { Effect } from "effect"
import { emailIdentity } from "../../domain/contact/Identity.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { domainOf } from "../../domain/address/Address.ts"
import { registrableDomain } from "../../domain/email/Mailbox.ts"
import { isPublicMailbox } from "../../domain/email/PublicMailbox.ts"
import { replyRecipients } from "../../domain/reply/ReplyRecipients.ts"

/** Whom a reply would go to without a person, and what speaks against it. */
export interface AutomaticRecipient {
  /** Normalised; null when the mail names nobody outside. */
  readonly email: string | null
  /** Why only a person may answer where the mail wants answers; null where nothing speaks against it. */
  readonly diverted: string | null
}

/** Whether two addresses belong to one organisation, as far as their domains tell. */
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
 * Whom an automatic reply goes to. Anybody can write any From and any Reply-To, and what a template tells of a contact
 * must not go to whoever wrote the contact's address into a From. So Reply-To is followed where it is of the sender's
 * organisation or known to be the contact's; elsewhere a person decides.
 */
export const automaticRecipient = Effect.fnUntraced(function* (message: Message, own: ReadonlyArray<string>) {
  const [email, ...more] = replyRecipients(message, own, false).to
  const { from } = message
  if (email === undefined) return { email: null, diverted: null } satisfies AutomaticRecipient
  if (more.length > 0) {
    return { email, diverted: "answers are to go to several addresses" } satisfies AutomaticRecipient
  }
  const followed = email === from || (from !== null && areOfOneOrganisation(email, from))
  if (followed || (yield* isOfContact(message, email))) return { email, diverted: null } satisfies AutomaticRecipient
  const diverted = `answers are to go to ${email}, which is not known to be the sender's`
  return { email, diverted } satisfies AutomaticRecipient
})
