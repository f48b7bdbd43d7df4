import { Cause, Clock, Effect, Exit, Option } from "effect"
import type { Clearance } from "../../domain/consent/Clearance.ts"
import { readMailSendContext } from "./MailSendContext.ts"
import { maySend, type SendVerdict } from "../../domain/consent/MaySend.ts"
import { describeReason, describeReasons } from "../../domain/reason/Reason.ts"
import type { MessageId } from "../../domain/Id.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { isScheduledKey } from "../../domain/sending/ScheduledSend.ts"
import { enrolmentOfKey } from "../../domain/sequence/Enrolment.ts"
import { haltOfSequence } from "./SequenceHalt.ts"
import { guardQuietEnd, quietEnd } from "./ContactQuietHours.ts"
import { readFiles } from "./ReadFiles.ts"
import { readForwardSendContext } from "./ForwardSendContext.ts"
import { readReplySendContext } from "./ReplySendContext.ts"
import {
  type Attended,
  type SendEnding,
  fail,
  failureTask,
  type HandOverResult,
  isReplySuperseded,
  postpone,
  settle,
  wait
} from "./SettleSend.ts"
import { EmailTransport, type TransportReceipt } from "../../port/provider/EmailTransport.ts"
import { behaviorAfter } from "../../domain/provider/ProviderBehavior.ts"
import { outcomeUnknown } from "../../domain/provider/ProviderFailure.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { withFileRoom } from "./FileRoom.ts"
import { queueAfterSend } from "../mailbox/QueueMailboxJobs.ts"
import { expireGrant } from "../mailbox/ExpireGrant.ts"
import { ownAddresses } from "../../domain/email/Accounts.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { type OutgoingMail, recipientsOf } from "../../domain/email/OutgoingMail.ts"
import { makeUnsubscribeLink } from "./MakeUnsubscribeLink.ts"
import { withTrackedLinks } from "../link/TrackLinks.ts"
import { recordProviderIds } from "../intake/Recognise.ts"
import {
  forwardedMessageOfKey,
  repliedMessageOfKey,
  type MailReservation,
  sendLeaseMillis
} from "../../domain/sending/Reservation.ts"

/** Stores the outcome `unknown` of a send. The email is never sent again, and a person gets a task. */
export const settleUnknown = Effect.fnUntraced(function* (reservation: MailReservation, reason: string) {
  const task = "It is unknown whether an email was sent"
  yield* settle(reservation, { outcome: "unknown", reason, delivery: "unknown", task }, Effect.void)
  return { _tag: "Unknown", reason } satisfies HandOverResult
})

const confirm = Effect.fnUntraced(function* (reservation: MailReservation, grant: Grant, receipt: TransportReceipt) {
  const { assigned, left, refused, response } = receipt
  const some = refused.length === 0 ? "" : `; refused for ${refused.join(", ")}`
  const task = refused.length === 0 ? null : `An email was rejected for ${refused.length} of its recipients`
  const delivery = left ? "sent" : null
  const ending: SendEnding = { outcome: "confirmed", reason: `${response}${some}`, delivery, task }
  // The provider's ids are stored in the same unit of work, because an answer to the mail can refer to them.
  const ids = assigned === null ? Effect.void : recordProviderIds(reservation, grant, assigned)
  const besides = left ? Effect.andThen(ids, queueAfterSend(reservation, grant)) : ids
  yield* settle(reservation, ending, besides)
  return { _tag: "Confirmed" } satisfies HandOverResult
})

const signInAgain = "the owner of the account has to sign in again"

/**
 * Returns the mail with the links of its moment: an email of a sequence gets a link with which its recipient opts out
 * (`docs/decisions/0139-unsubscribe-links.md`), and tracked links if the tenant has chosen so
 * (`docs/decisions/0154-tracked-links.md`). The stored message keeps the original links.
 */
const withLinks = Effect.fnUntraced(function* (reservation: MailReservation, tenant: Tenant) {
  const { contactId, correspondent, key, mail, tenantId } = reservation
  if (enrolmentOfKey(key) === null) return mail
  const link = yield* makeUnsubscribeLink({ tenantId, contactId, email: correspondent })
  return { ...mail, html: yield* withTrackedLinks(tenant, reservation), unsubscribeUrl: link }
})

/** An email with the links and headers of its handover, its account, and the contents of its files. */
interface Outgoing {
  readonly grant: Grant
  readonly mail: OutgoingMail
  readonly files: ReadonlyArray<Uint8Array>
}

const transmit = Effect.fnUntraced(function* (
  reservation: MailReservation,
  { files, grant, mail }: Outgoing,
  clearance: Clearance,
  attended: Attended
) {
  const exit = yield* Effect.exit((yield* EmailTransport).send({ grant, mail, files }, clearance))
  if (Exit.isSuccess(exit)) return yield* confirm(reservation, grant, exit.value)
  const broken = outcomeUnknown("mail", Cause.pretty(exit.cause).slice(0, 500))
  const failure = Option.getOrElse(Cause.findErrorOption(exit.cause), () => broken)
  const { slotAt } = reservation
  switch (behaviorAfter(failure)) {
    case "give_up":
      return yield* fail(reservation, failure.message, failureTask(reservation, attended), Effect.void)
    case "retry":
      return yield* postpone(reservation, slotAt, failure.message, attended)
    case "sign_out":
      yield* expireGrant(grant, failure.message)
      return yield* postpone(reservation, slotAt, signInAgain, attended)
    case "resolve":
      return yield* settleUnknown(reservation, failure.message)
  }
})

/**
 * Returns the end of the quiet hours at this time. A message of a sequence also waits for those of the guardrails,
 * because its provider may have deferred it into them.
 */
const quietEndOf = Effect.fnUntraced(function* ({ contactId, key }: MailReservation, tenant: Tenant, now: number) {
  const contact = yield* resolveMergedContact(tenant.tenantId, contactId)
  const own = contact === null ? null : yield* quietEnd(tenant, contact, now)
  return own ?? (enrolmentOfKey(key) === null ? null : guardQuietEnd(tenant, now))
})

/** Decides again about a mail that a rule forwards. */
const mayForwardNow = Effect.fnUntraced(function* (
  { mail, tenantId }: MailReservation,
  tenant: Tenant,
  forwarded: MessageId,
  now: number
) {
  const message = yield* (yield* Messages).find(tenantId, forwarded)
  const gone: SendVerdict = { _tag: "Deny", reasons: [{ code: "forwarded_message_gone" }], overridable: [] }
  if (message === null) return gone
  const recipients = recipientsOf(mail)
  return maySend(yield* readForwardSendContext({ tenant, message, recipients, now, isReserved: true }))
})

/**
 * Decides with `maySend` again, immediately before sending, because the facts may have changed since the reservation.
 */
const mayGoNow = Effect.fnUntraced(function* (reservation: MailReservation, tenant: Tenant) {
  const { key, mail, override } = reservation
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  if (!mail.automatic) {
    const recipients = recipientsOf(mail)
    const quietUntil =
      isScheduledKey(key) || enrolmentOfKey(key) !== null ? yield* quietEndOf(reservation, tenant, now) : null
    return maySend(yield* readMailSendContext({ tenant, recipients, override, now, quietUntil }))
  }
  const forwarded = forwardedMessageOfKey(key)
  if (forwarded !== null) return yield* mayForwardNow(reservation, tenant, forwarded, now)
  const answered = repliedMessageOfKey(key)
  const message = answered === null ? null : yield* (yield* Messages).find(tenantId, answered)
  const gone: SendVerdict = { _tag: "Deny", reasons: [{ code: "answered_message_gone" }], overridable: [] }
  if (message === null) return gone
  const own = ownAddresses(yield* (yield* Grants).list(tenantId))
  return maySend(yield* readReplySendContext({ tenant, message, ownAddresses: own, slotAt: now, now, counted: 1 }))
})

/** Returns the tenant. Returns null if the tenant was archived or has become a HIPAA tenant since the reservation. */
const openTenant = Effect.fnUntraced(function* (tenantId: string) {
  const tenants = yield* Tenants
  return yield* tenants.get(tenantId).pipe(
    Effect.map((tenant) => (tenant.hipaa ? null : tenant)),
    Effect.catchTag("TenantNotFound", () => Effect.succeed(null))
  )
})

const attempt = Effect.fnUntraced(function* (reservation: MailReservation, attended: Attended) {
  const { mail, slotAt, tenantId } = reservation
  const task = failureTask(reservation, attended)
  const tenant = yield* openTenant(tenantId)
  if (tenant === null)
    return yield* fail(reservation, "the tenant no longer exists or may not send email (HIPAA)", task, Effect.void)
  const grant = yield* (yield* Grants).find(tenantId, reservation.grantId)
  if (grant === null) {
    const reason = "the sending account was disconnected"
    return yield* fail(reservation, reason, task, Effect.void)
  }
  const isReply = mail.automatic && forwardedMessageOfKey(reservation.key) === null
  if (isReply && (yield* isReplySuperseded(reservation)))
    return yield* fail(reservation, describeReason({ code: "reply_superseded" }), null, Effect.void)
  const halted = yield* haltOfSequence(reservation)
  if (halted !== null) return yield* fail(reservation, halted, null, Effect.void)
  if (grant.status !== "active") return yield* postpone(reservation, slotAt, signInAgain, attended)
  const verdict = yield* mayGoNow(reservation, tenant)
  if (verdict._tag === "Deny") return yield* fail(reservation, describeReasons(verdict.reasons), task, Effect.void)
  if (verdict._tag === "Defer") return yield* wait(reservation, verdict.until, describeReason(verdict.reason))
  const read = yield* readFiles(tenantId, mail.attachments ?? [])
  if (read._tag === "Missing") {
    if (read.isFinal) return yield* fail(reservation, read.reason, task, Effect.void)
    return yield* postpone(reservation, slotAt, read.reason, attended)
  }
  const leaseUntil = (yield* Clock.currentTimeMillis) + sendLeaseMillis
  // Reads the store, so it precedes the handover: a failure afterwards would leave the outcome of the send unknown.
  const outgoing = { grant, mail: yield* withLinks(reservation, tenant), files: read.files }
  if (yield* (yield* Sends).handOver(reservation, leaseUntil))
    return yield* transmit(reservation, outgoing, verdict.clearance, attended)
  return { _tag: "Lost" } satisfies HandOverResult
})

/**
 * Sends a claimed mail, and stores the outcome. The send gets the state `handed_over` before the first byte is
 * transmitted. After a crash, a send in an earlier state was certainly not transmitted and is retried. A send in this
 * state may have been transmitted and is not retried.
 */
export const handOverMail = (reservation: MailReservation, attended: Attended) =>
  withFileRoom(reservation.tenantId, reservation.mail.attachments ?? [])(attempt(reservation, attended))
