import { Effect } from "effect"
import { replySubject } from "../../domain/email/OutgoingMail.ts"
import { replySender } from "../../domain/reply/ReplyRecipients.ts"
import { replyKey } from "../../domain/sending/Reservation.ts"
import { renderBody, reserveSend } from "../sending/ReserveSend.ts"
import { hourMillis, nextSlot, maxSendsPerHour } from "../../domain/sending/SendLimit.ts"
import { maySend } from "../../domain/consent/MaySend.ts"
import { readTextSendContext } from "../sending/NumberSendContext.ts"
import { readReplySendContext } from "../sending/ReplySendContext.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { maxOutgoingTextLength } from "../../domain/conversation/OutgoingText.ts"
import { reserveText } from "../sending/ReserveText.ts"
import type { RunTarget } from "../../domain/run/RunSubject.ts"

/** Tells whether a reply is sent automatically; `reason` goes to the step of the run. */
export interface ReplySent {
  readonly sent: boolean
  readonly reason: string
}

const kept = (reason: string): ReplySent => ({ sent: false, reason: `a person approves: ${reason}` })

const sendMail = Effect.fnUntraced(function* (target: RunTarget, text: string) {
  const { message, now, signalId, tenant } = target
  const { tenantId } = tenant
  const current = yield* (yield* Grants).current(tenantId)
  const grant = current?.status === "active" ? current : null
  const { slotAt } = nextSlot(yield* (yield* Sends).slots(tenantId, now - hourMillis, maxSendsPerHour), now)
  const sendContext = yield* readReplySendContext({ tenant, message, grant, slotAt, now, counted: 0 })
  const verdict = maySend(sendContext)
  if (verdict._tag === "Deny") return kept(verdict.reasons.join("; "))
  const { recipient } = sendContext
  if (grant === null || recipient === null) return kept("no email account is connected to send through")
  yield* reserveSend({
    tenant,
    grant,
    actor: "assistant",
    from: replySender(grant, message),
    to: [{ email: recipient, name: target.contact.name }],
    cc: [],
    bcc: [],
    subject: replySubject(message.subject),
    body: yield* renderBody(text),
    answers: message,
    contactId: message.contactId,
    key: replyKey(signalId),
    fingerprint: signalId,
    slotAt,
    claimed: false,
    now
  })
  const when =
    verdict._tag === "Defer" ? `when the hourly limit allows it: ${new Date(verdict.until).toISOString()}` : "now"
  return { sent: true, reason: `it is sent automatically, ${when}` } satisfies ReplySent
})

const sendText = Effect.fnUntraced(function* ({ contact, message, now, signalId, tenant }: RunTarget, body: string) {
  if (body.length > maxOutgoingTextLength) return kept(`it is longer than ${maxOutgoingTextLength} characters`)
  const requested = {
    tenant,
    contact,
    by: "nobody",
    now,
    ...(message.from !== null && { recipient: message.from })
  } as const
  const sendContext = yield* readTextSendContext(requested)
  const verdict = maySend(sendContext)
  if (verdict._tag === "Deny") return kept(verdict.reasons.join("; "))
  const { recipient, sender } = sendContext
  if (recipient === null || sender === null) return kept("the contact or the tenant has no number")
  yield* reserveText({
    tenant,
    actor: "assistant",
    from: sender,
    to: recipient,
    body,
    contactId: message.contactId,
    key: replyKey(signalId),
    fingerprint: signalId,
    dueAt: verdict._tag === "Defer" ? verdict.until : now,
    claimed: false,
    now
  })
  const when = verdict._tag === "Defer" ? `after the quiet hours: ${new Date(verdict.until).toISOString()}` : "now"
  return { sent: true, reason: `it is sent automatically, ${when}` } satisfies ReplySent
})

/**
 * Sends a reply automatically if `maySend` allows it: writes message and reservation inside the unit of work that ends
 * the signal. When the hourly limit is reached, or during quiet hours, the reply waits for the next allowed time.
 * Otherwise it writes nothing, and a person decides.
 */
export const sendReply = Effect.fnUntraced(function* (target: RunTarget, text: string) {
  const { channel } = target.message
  if (channel === "email" && target.message.threadId !== null) return yield* sendMail(target, text)
  if (channel === "sms") return yield* sendText(target, text)
  return kept("only an email or a text can be answered automatically")
})
