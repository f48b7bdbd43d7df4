/**
 * Rules for written replies: recipients, sender, and content that a person must read first. Calls of language models
 * belong to `workflow/reply`.
 * Tests: `packages/core/test/domain/reply`, `packages/core/test/workflow/reply`.
 */
import type { Message } from "../conversation/Message.ts"
import { type Address, isEmail, normalizeEmail, splitPlusTag } from "../address/Address.ts"
import { type Grant, senderAddresses } from "../email/Grant.ts"
import { maxRecipients } from "../email/OutgoingMail.ts"

/** The fields of a mail that determine a reply's recipients. */
export type RepliedMail = Pick<Message, "actor" | "cc" | "from" | "receivedAlias" | "replyTo" | "to">

/** The recipients of a reply: distinct normalised addresses, at most `maxRecipients` in total. */
export interface ReplyRecipients {
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
}

/** Returns true for one of the given addresses, with or without a plus tag. */
const isAmong = (own: ReadonlySet<string>, email: string): boolean =>
  own.has(email) || own.has(splitPlusTag(email).email)

/**
 * Returns the recipients of a reply to a mail.
 *
 * - `to` of an inbound mail is its Reply-To or, without one, its From (RFC 5322 section 3.6.2). `to` of an outbound
 *   mail is its own recipients.
 * - With `all`, `cc` contains the other recipients of the mail.
 * - The tenant's `own` addresses and the receiving address are removed. Colleagues on the tenant's domain stay.
 * - `to` is empty only when the mail contains no other valid address.
 */
export const replyRecipients = (mail: RepliedMail, own: ReadonlyArray<string>, all: boolean): ReplyRecipients => {
  const ours = new Set([...own, ...(mail.receivedAlias === null ? [] : [mail.receivedAlias])].map(normalizeEmail))
  const outside = (emails: ReadonlyArray<string>): ReadonlyArray<string> => [
    ...new Set(emails.map(normalizeEmail).filter((email) => isEmail(email) && !isAmong(ours, email)))
  ]
  const senders = mail.actor === "contact" ? [mail.replyTo, mail.from === null ? [] : [mail.from]] : []
  const wanted = [...senders, mail.to, mail.cc].map(outside).find((emails) => emails.length > 0) ?? []
  const to = wanted.slice(0, maxRecipients)
  const others = all ? outside([...mail.to, ...mail.cc]).filter((email) => !wanted.includes(email)) : []
  return { to, cc: others.slice(0, maxRecipients - to.length) }
}

/**
 * Returns the sender of a reply. It is the address of the account that received or sent the mail, as long as the
 * account may send from this address. Otherwise it is the account's main address.
 */
export const replySender = (grant: Pick<Grant, "aliases" | "email" | "name">, mail: RepliedMail): Address => {
  const own = senderAddresses(grant)
  const sender = mail.actor === "contact" ? mail.receivedAlias : mail.from
  const touched = [...(sender === null ? [] : [sender]), ...mail.to, ...mail.cc].map(normalizeEmail)
  const email = touched.find((address) => own.includes(address)) ?? grant.email
  return { email, name: grant.name }
}
