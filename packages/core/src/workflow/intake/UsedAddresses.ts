import { ownAddresses } from "../../domain/email/Accounts.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import type { GrantId } from "../../domain/Id.ts"
import { mailboxOf } from "../../domain/email/Mailbox.ts"
import type { InboundMail } from "./MailArrival.ts"

/** Addresses of the tenant that a mail used. */
export interface UsedAddresses {
  /** The account that gets the addresses as aliases: the one that received the mail, otherwise the default one. */
  readonly grantId: GrantId
  /** The addresses from which a person of the tenant wrote the mail. */
  readonly writtenFrom: ReadonlyArray<string>
  /** The addresses at which the mail of a contact arrived. */
  readonly arrivedAt: ReadonlyArray<string>
}

/** Mail that no account received came over SMTP, as the mail of an account of the operator's relay does. */
const aliasOwner = (accounts: ReadonlyArray<Grant>): Grant | undefined =>
  accounts.find(({ provider }) => provider === "smtp") ?? accounts[0]

/** Returns the addresses that a mail used and that no account has, without tags; null if there are none. */
export const usedAddresses = (
  inbound: InboundMail,
  accounts: ReadonlyArray<Grant>,
  recipients: ReadonlyArray<string> | undefined
): UsedAddresses | null => {
  const { from, receivedAlias } = inbound.mail
  const grantId = inbound.mail.grantId ?? aliasOwner(accounts)?.grantId
  if (grantId === undefined) return null
  const known = new Set(ownAddresses(accounts).map(mailboxOf))
  const unknown = (emails: ReadonlyArray<string>) =>
    [...new Set(emails.map(mailboxOf))].filter((email) => !known.has(email))
  const isOwn = inbound.auto === "own"
  const writtenFrom = unknown(isOwn && from !== null ? [from] : [])
  const arrivedAt = unknown(isOwn ? [] : (recipients ?? (receivedAlias === null ? [] : [receivedAlias])))
  return writtenFrom.length + arrivedAt.length === 0 ? null : { grantId, writtenFrom, arrivedAt }
}
