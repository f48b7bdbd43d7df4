import { Cause, Clock, Effect, Exit, Option } from "effect"
import type { Clearance } from "../../domain/consent/Clearance.ts"
import { readMailSendContext } from "./MailSendContext.ts"
import { maySend, type SendVerdict } from "../../domain/consent/MaySend.ts"
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
import {
  EmailTransport,
  OutcomeUnknown,
  type TransportFailure,
  type TransportReceipt
} from "../../port/provider/EmailTransport.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { expireGrant } from "../mailbox/ExpireGrant.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { recipientsOf } from "../../domain/email/OutgoingMail.ts"
import { recordProviderIds } from "../intake/RecordProviderIds.ts"
import { repliedMessageOfKey, type MailReservation, sendLeaseMillis } from "../../domain/sending/Reservation.ts"

/** Ends a send that may have arrived: a person decides, nothing sends it again. */
export const settleUnknown = Effect.fnUntraced(function* (reservation: MailReservation, reason: string) {
  const task = "It is not known whether an email was sent"
  yield* settle(reservation, { outcome: "unknown", reason, delivery: "unknown", task }, Effect.void)
  return { _tag: "Unknown", reason } satisfies HandOverResult
})

const confirm = Effect.fnUntraced(function* (reservation: MailReservation, grant: Grant, receipt: TransportReceipt) {
  const { assigned, left, refused, response } = receipt
  const some = refused.length === 0 ? "" : `; refused for ${refused.join(", ")}`
  const task = refused.length === 0 ? null : `An email was refused for ${refused.length} of its recipients`
  const delivery = left ? "sent" : null
  const ending: SendEnding = { outcome: "confirmed", reason: `${response}${some}`, delivery, task }
  // What it is called now is written down with its end: an answer names it by that.
  yield* settle(reservation, ending, assigned === null ? Effect.void : recordProviderIds(reservation, grant, assigned))
  return { _tag: "Confirmed" } satisfies HandOverResult
})

const signInAgain = "the account has to be signed in again"

const transmit = Effect.fnUntraced(function* (
  reservation: MailReservation,
  grant: Grant,
  clearance: Clearance,
  attended: Attended
) {
  const exit = yield* Effect.exit((yield* EmailTransport).send({ grant, mail: reservation.mail }, clearance))
  if (Exit.isSuccess(exit)) return yield* confirm(reservation, grant, exit.value)
  const broken = new OutcomeUnknown({ reason: Cause.pretty(exit.cause).slice(0, 500) })
  const failure: TransportFailure = Option.getOrElse(Cause.findErrorOption(exit.cause), () => broken)
  const { slotAt } = reservation
  switch (failure._tag) {
    case "TransportRefused":
      return yield* fail(reservation, failure.reason, failureTask(reservation, attended), Effect.void)
    case "TransportUnavailable":
      return yield* postpone(reservation, slotAt, failure.reason, attended)
    case "TransportSignedOut":
      yield* expireGrant(grant, failure.reason)
      return yield* postpone(reservation, slotAt, signInAgain, attended)
    case "OutcomeUnknown":
      return yield* settleUnknown(reservation, failure.reason)
  }
})

/** Asks once more, right before it goes, what was asked when it was reserved: much may have happened in between. */
const mayGoNow = Effect.fnUntraced(function* (reservation: MailReservation, tenant: Tenant, grant: Grant) {
  const { key, mail, override } = reservation
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  if (!mail.automatic) {
    const recipients = recipientsOf(mail)
    return maySend(yield* readMailSendContext({ tenant, recipients, override, now }))
  }
  const answered = repliedMessageOfKey(key)
  const message = answered === null ? null : yield* (yield* Messages).find(tenantId, answered)
  const gone: SendVerdict = { _tag: "Deny", reasons: ["the message that it answers is gone"], overridable: [] }
  if (message === null) return gone
  return maySend(yield* readReplySendContext({ tenant, message, grant, slotAt: now, now, counted: 1 }))
})

/** The tenant, while email is open to it: it may have been closed since the send was kept. */
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
  if (tenant === null) return yield* fail(reservation, "email is closed to this tenant", task, Effect.void)
  const grant = yield* (yield* Grants).current(tenantId)
  if (grant === null || grant.grantId !== reservation.grantId) {
    const reason = "the account it was to be sent from is disconnected"
    return yield* fail(reservation, reason, task, Effect.void)
  }
  if (mail.automatic && (yield* isReplySuperseded(reservation)))
    return yield* fail(reservation, "the conversation has moved on", null, Effect.void)
  if (grant.status !== "active") return yield* postpone(reservation, slotAt, signInAgain, attended)
  const verdict = yield* mayGoNow(reservation, tenant, grant)
  if (verdict._tag === "Deny") return yield* fail(reservation, verdict.reasons.join("; "), task, Effect.void)
  if (verdict._tag === "Defer") return yield* wait(reservation, verdict.until, verdict.reason)
  const leaseUntil = (yield* Clock.currentTimeMillis) + sendLeaseMillis
  if (yield* (yield* Sends).handOver(reservation, leaseUntil))
    return yield* transmit(reservation, grant, verdict.clearance, attended)
  return { _tag: "Lost" } satisfies HandOverResult
})

/**
 * Hands a mail over that the caller holds, and writes down what became of it. It is `handed_over` in the store before the
 * first byte goes, so that a crash at any moment leaves either a send that nobody has seen, which is tried again, or one
 * that somebody may have seen, which is not.
 */
export const handOverMail = (reservation: MailReservation, attended: Attended) => attempt(reservation, attended)
