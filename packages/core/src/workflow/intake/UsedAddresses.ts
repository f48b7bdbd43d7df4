import { type Grant, senderAddresses } from "../../domain/email/Grant.ts"
import { mailboxOf } from "../../domain/email/Mailbox.ts"
import type { InboundMail } from "./MailArrival.ts"

/** Addresses of the tenant that a mail used. */
export interface UsedAddresses {
  /** The addresses from which a person of the tenant wrote the mail. */
  readonly writtenFrom: ReadonlyArray<string>
  /** The addresses at which the mail of a contact arrived. */
  readonly arrivedAt: ReadonlyArray<string>
}

/** Returns the addresses that a mail used and that the account does not know, without tags; null if there are none. */
export const usedAddresses = (
  inbound: InboundMail,
  grant: Grant,
  recipients: ReadonlyArray<string> | undefined
): UsedAddresses | null => {
  const { from, receivedAlias } = inbound.mail
  const known = new Set(senderAddresses(grant).map(mailboxOf))
  const unknown = (emails: ReadonlyArray<string>) =>
    [...new Set(emails.map(mailboxOf))].filter((email) => !known.has(email))
  const isOwn = inbound.auto === "own"
  const writtenFrom = unknown(isOwn && from !== null ? [from] : [])
  const arrivedAt = unknown(isOwn ? [] : (recipients ?? (receivedAlias === null ? [] : [receivedAlias])))
  return writtenFrom.length + arrivedAt.length === 0 ? null : { writtenFrom, arrivedAt }
}
