import { Effect } from "effect"
import { Secrets } from "../access/Secrets.ts"
import { automaticRecipient } from "../email/AutomaticRecipient.ts"
import { senderAddresses } from "../email/Grant.ts"
import { maySend } from "../outbound/MaySend.ts"
import { answerSubject } from "../email/OutgoingMail.ts"
import { replySender } from "../email/ReplyRecipients.ts"
import { replyKey } from "../email/Reservation.ts"
import { renderBody, reserveSend } from "../email/ReserveSend.ts"
import { hourMillis, nextSlot, sendsPerHour } from "../email/SendLimit.ts"
import { Contacts } from "../port/Contacts.ts"
import { Grants } from "../port/Grants.ts"
import { Sends } from "../port/Sends.ts"
import { tombstone } from "../rights/Tombstone.ts"
import type { RunTarget } from "./RunTarget.ts"

const dayMillis = 24 * 3_600_000

/** Whether a reply goes out by itself, and the reason for the run's step. */
export interface ReplySent {
  readonly sent: boolean
  readonly reason: string
}

const kept = (reason: string): ReplySent => ({ sent: false, reason: `a person approves: ${reason}` })

/** Why nothing may be sent to an address, also where no more than its hash is left of it. */
const undeliverable = Effect.fnUntraced(function* (tenantId: string, email: string) {
  const contacts = yield* Contacts
  const known = yield* contacts.undeliverable(tenantId, email)
  return known ?? (yield* contacts.undeliverable(tenantId, tombstone(email, (yield* Secrets).pepper)))
})

/**
 * Lets a reply go out by itself where `maySend` allows it: writes message and reservation, inside the unit of work that
 * ends the signal. Where the hour is full it goes when there is room. Otherwise nothing is written and a person decides.
 */
export const sendReply = Effect.fnUntraced(function* (target: RunTarget, text: string) {
  const { message, now, signalId, tenant } = target
  const { tenantId } = tenant
  const { threadId } = message
  if (message.channel !== "email" || threadId === null) return kept("only an email can be answered by itself so far")
  const sends = yield* Sends
  const grant = yield* (yield* Grants).current(tenantId)
  const active = grant?.status === "active" ? grant : null
  const ownAddresses = active === null ? null : senderAddresses(active)
  const { diverted, email: recipient } = yield* automaticRecipient(message, ownAddresses ?? [])
  const counts = yield* sends.replyCounts(tenantId, threadId, recipient ?? "", now - dayMillis)
  const { slotAt } = nextSlot(yield* sends.slots(tenantId, now - hourMillis, sendsPerHour), now)
  const verdict = maySend({
    channel: "email",
    by: "nobody",
    tenantId,
    hipaa: tenant.hipaa,
    auto: message.auto,
    flags: message.flags,
    recipient,
    ownAddresses,
    tenantDomain: tenant.domain,
    undeliverable: recipient === null ? null : yield* undeliverable(tenantId, recipient),
    diverted,
    repliesInThread: counts.inThread,
    repliesToCorrespondent: counts.toCorrespondent,
    now,
    slotAt
  })
  if (verdict._tag === "Deny") return kept(verdict.reasons.join("; "))
  if (active === null || recipient === null) return kept("no email account is connected to send through")
  yield* reserveSend({
    tenant,
    grant: active,
    actor: "assistant",
    from: replySender(active, message),
    to: [{ email: recipient, name: target.contact.name }],
    cc: [],
    bcc: [],
    subject: answerSubject(message.subject),
    body: yield* renderBody(text),
    answers: message,
    contactId: message.contactId,
    key: replyKey(signalId),
    fingerprint: signalId,
    slotAt,
    claimed: false,
    now
  })
  const when = verdict._tag === "Defer" ? `when the hour has room: ${new Date(verdict.until).toISOString()}` : "now"
  return { sent: true, reason: `it goes out by itself, ${when}` } satisfies ReplySent
})
