import type { Message } from "../conversation/Message.ts"
import { type Address, isEmail, normalizeEmail, splitPlusTag } from "../address/Address.ts"
import { type Grant, senderAddresses } from "../email/Grant.ts"
import { maxRecipients } from "../email/OutgoingMail.ts"

/** What has to be known of a mail to answer it. */
export type RepliedMail = Pick<Message, "actor" | "cc" | "from" | "receivedAlias" | "replyTo" | "to">

/** Whom an answer goes to: normalised addresses, each once, `maxRecipients` together at most. */
export interface ReplyRecipients {
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
}

/** Whether an address is one of the tenant's, also under a plus tag. */
const isAmong = (own: ReadonlySet<string>, email: string): boolean =>
  own.has(email) || own.has(splitPlusTag(email).email)

/**
 * Whom an answer to a mail goes to. One person: where its sender wants answers, which is Reply-To, else From (RFC 5322
 * section 3.6.2); of a mail of ours: whom it went to. `all`: everybody else who got it besides, in Cc. Never the
 * `own` addresses, nor the one it arrived at; colleagues on the tenant's domain stay, for they are people who got the
 * mail. `to` is empty only when the mail names nobody outside who could be written to.
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
 * The address that an answer leaves from: the one that was written to, or wrote, while the account may still send from
 * it; else the account itself.
 */
export const replySender = (grant: Pick<Grant, "aliases" | "email" | "name">, mail: RepliedMail): Address => {
  const own = senderAddresses(grant)
  const sender = mail.actor === "contact" ? mail.receivedAlias : mail.from
  const touched = [...(sender === null ? [] : [sender]), ...mail.to, ...mail.cc].map(normalizeEmail)
  const email = touched.find((address) => own.includes(address)) ?? grant.email
  return { email, name: grant.name }
}
