import { Effect } from "effect"
import { domainOf, normalizeEmail } from "../../domain/address/Address.ts"
import type { ForwardSendContext } from "../../domain/consent/MaySend.ts"
import { emailIdentity } from "../../domain/contact/Identity.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { unparsedReasonOf } from "../../domain/conversation/UnparsedMail.ts"
import { answeringAccount, ownAddresses } from "../../domain/email/Accounts.ts"
import { mailboxOf } from "../../domain/email/Mailbox.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { undeliverableAddress } from "../contact/Undeliverable.ts"
import { findAccounts } from "../mailbox/Accounts.ts"
import { withSpan } from "../WithSpan.ts"
import { guardQuietEnd } from "./ContactQuietHours.ts"
import { hasOptedOut } from "./MailSendContext.ts"

const dayMillis = 24 * 3_600_000

/** An email that a rule forwards, and its recipients. */
export interface ForwardSendInput {
  readonly tenant: Tenant
  readonly message: Message
  /** Normalised. */
  readonly recipients: ReadonlyArray<string>
  readonly now: number
  /** True if the mail is already reserved. The limit per address then no longer applies. */
  readonly isReserved: boolean
}

/** Returns whether one of the recipients is the sender of a mail, or another address of its contact. */
const isToContact = Effect.fnUntraced(function* (
  { contactId, from, replyTo, tenantId }: Message,
  recipients: ReadonlyArray<string>
) {
  const written = new Set([...(from === null ? [] : [from]), ...replyTo].map(mailboxOf))
  if (recipients.some((email) => written.has(mailboxOf(email)))) return true
  const identities = recipients.flatMap((email) => emailIdentity(email) ?? [])
  const holders = identities.length === 0 ? [] : yield* (yield* Contacts).holders(tenantId, identities)
  return holders.some(({ contact }) => contact.contactId === contactId)
})

/**
 * Returns the largest number of automatic emails in the last 24 hours to one of the recipients. A mail with several
 * recipients counts for its main correspondent.
 */
const countSent = Effect.fnUntraced(function* ({
  message,
  now,
  recipients
}: Pick<ForwardSendInput, "message" | "now" | "recipients">) {
  const { tenantId, threadId } = message
  if (threadId === null) return 0
  const { replyCounts } = yield* Sends
  const counts = yield* Effect.forEach(recipients, (email) => replyCounts(tenantId, threadId, email, now - dayMillis))
  return Math.max(0, ...counts.map(({ toCorrespondent }) => toCorrespondent))
})

/** Reads the facts that `maySend` needs for an email that a rule forwards. A rule states few recipients. */
export const readForwardSendContext = Effect.fnUntraced(function* (requested: ForwardSendInput) {
  const { isReserved, message, now, tenant } = requested
  const { domain, hipaa, tenantId } = tenant
  const recipients = [...new Set(requested.recipients.map(normalizeEmail))]
  const accounts = yield* findAccounts(tenantId)
  const own = new Set(ownAddresses(accounts?.all ?? []).map(mailboxOf))
  const isOwn = (email: string) => own.has(mailboxOf(email)) || (domain !== null && domainOf(email) === domain)
  const undeliverable: Array<{ readonly address: string; readonly reason: string }> = []
  for (const address of recipients) {
    const reason = yield* undeliverableAddress(tenantId, address)
    if (reason !== null) undeliverable.push({ address, reason })
  }
  return {
    channel: "email",
    by: "rule",
    tenantId,
    hipaa,
    now,
    auto: message.auto,
    flags: message.flags,
    unparsed: unparsedReasonOf(message) !== null,
    recipients,
    connected: accounts !== null && answeringAccount(accounts, message) !== null,
    toSelf: recipients.some(isOwn),
    toContact: yield* isToContact(message, recipients),
    optedOut: yield* hasOptedOut(tenantId, recipients),
    undeliverable,
    sentToRecipient: isReserved ? 0 : yield* countSent({ message, now, recipients }),
    quietUntil: guardQuietEnd(tenant, now)
  } satisfies ForwardSendContext
}, withSpan("readForwardSendContext"))
