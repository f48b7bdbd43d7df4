import { Cause, Clock, Effect, Exit, Option } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { attachmentPath } from "../../domain/email/AttachmentLink.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { type TextReservation, sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import type { Clearance } from "../../domain/consent/Clearance.ts"
import { maySend, type SendVerdict } from "../../domain/consent/MaySend.ts"
import { describeReason, describeReasons } from "../../domain/reason/Reason.ts"
import { enrolmentOfKey } from "../../domain/sequence/Enrolment.ts"
import { haltOfSequence } from "./SequenceHalt.ts"
import { readTextSendContext } from "./NumberSendContext.ts"
import {
  type Attended,
  fail,
  failureTask,
  type HandOverResult,
  isReplySuperseded,
  postpone,
  settle,
  wait
} from "./SettleSend.ts"
import { behaviorAfter, requestedWait } from "../../domain/provider/ProviderBehavior.ts"
import { outcomeUnknown } from "../../domain/provider/ProviderFailure.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { SmsProvider, type TextReceipt } from "../../port/provider/SmsProvider.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { applyNumberReport } from "./RecordConsentChange.ts"
import { findTextId, findTextMillis } from "../../domain/conversation/TextJob.ts"
import { textKey } from "../../domain/conversation/OutgoingText.ts"

/**
 * Stores the outcome `unknown` of a text that the provider may have accepted. The text is never sent again. A report of
 * the provider, or a job that searches for the text, determines the outcome. If neither does, a person gets a task.
 * `since` is the earliest possible time of the acceptance, in epoch milliseconds. Null stands for the current time.
 */
export const settleUnknownText = Effect.fnUntraced(function* (
  reservation: TextReservation,
  reason: string,
  since: number | null = null
) {
  const { messageId, tenantId } = reservation
  const now = yield* Clock.currentTimeMillis
  const look = Effect.flatMap(Jobs, (jobs) =>
    jobs.put({
      tenantId,
      jobId: findTextId(messageId),
      dueAt: now + findTextMillis,
      createdAt: now,
      job: { kind: "find_text", messageId, at: now, since: since ?? now }
    })
  )
  yield* settle(reservation, { outcome: "unknown", reason, delivery: "unknown", task: null }, look)
  return { _tag: "Unknown", reason } satisfies HandOverResult
})

const confirm = Effect.fnUntraced(function* (reservation: TextReservation, receipt: TextReceipt) {
  const { messageId, tenantId } = reservation
  const { left, providerMessageId, response } = receipt
  const named =
    providerMessageId === null
      ? Effect.void
      : Effect.flatMap(Messages, (messages) =>
          messages.recordProviderIds(tenantId, messageId, { internetMessageId: null, providerMessageId }, [
            textKey(providerMessageId)
          ])
        )
  const delivery = left ? "sent" : null
  yield* settle(reservation, { outcome: "confirmed", reason: response, delivery, task: null }, named)
  return { _tag: "Confirmed" } satisfies HandOverResult
})

/** Returns the links from which the provider downloads the files of the text. */
const mediaPathsOf = Effect.fnUntraced(function* ({ messageId, tenantId, text }: TextReservation) {
  const { pepper } = yield* Secrets
  const now = yield* Clock.currentTimeMillis
  return (text.attachments ?? []).map((_, index) => attachmentPath({ tenantId, messageId, index }, pepper, now))
})

const transmit = Effect.fnUntraced(function* (reservation: TextReservation, clearance: Clearance, attended: Attended) {
  const { createdAt, messageId, tenantId, text } = reservation
  const mediaPaths = yield* mediaPathsOf(reservation)
  const exit = yield* Effect.exit((yield* SmsProvider).send({ tenantId, messageId, text, mediaPaths }, clearance))
  if (Exit.isSuccess(exit)) return yield* confirm(reservation, exit.value)
  const broken = outcomeUnknown("sms", Cause.pretty(exit.cause).slice(0, 500))
  const failure = Option.getOrElse(Cause.findErrorOption(exit.cause), () => broken)
  const { message, reason } = failure
  switch (behaviorAfter(failure)) {
    case "give_up": {
      const about = reason._tag === "Refused" ? reason.about : null
      const apply = applyNumberReport(reservation, about, message)
      return yield* fail(reservation, message, failureTask(reservation, attended), apply)
    }
    // The account at the provider belongs to the operator, so no owner can sign in. The send is retried until the
    // operator has corrected the account.
    case "sign_out":
    case "retry":
      return yield* postpone(reservation, createdAt, message, attended, requestedWait(failure) ?? 0)
    case "resolve":
      return yield* settleUnknownText(reservation, message)
  }
})

/**
 * Decides with `maySend` again, immediately before sending, because the facts may have changed since the reservation.
 */
const mayGoNow = Effect.fnUntraced(function* ({ contactId, key, override, tenantId, text }: TextReservation) {
  const gone: SendVerdict = { _tag: "Deny", reasons: [{ code: "party_gone" }], overridable: [] }
  const tenant = yield* (yield* Tenants)
    .get(tenantId)
    .pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  const contact = yield* resolveMergedContact(tenantId, contactId)
  if (tenant === null || contact === null) return gone
  const now = yield* Clock.currentTimeMillis
  const by = text.automatic ? "nobody" : "person"
  const parties = { tenant, contact, by, now, recipient: text.to, ownPhone: text.from, override } as const
  const requested = { ...parties, counted: 1, alwaysQuiet: enrolmentOfKey(key) !== null } as const
  return maySend(yield* readTextSendContext(requested))
})

/** Sends a claimed text, and stores the outcome, with the same guarantees as `handOverMail`. */
export const handOverText = Effect.fnUntraced(function* (reservation: TextReservation, attended: Attended) {
  if (reservation.text.automatic && (yield* isReplySuperseded(reservation)))
    return yield* fail(reservation, describeReason({ code: "reply_superseded" }), null, Effect.void)
  const halted = yield* haltOfSequence(reservation)
  if (halted !== null) return yield* fail(reservation, halted, null, Effect.void)
  const verdict = yield* mayGoNow(reservation)
  if (verdict._tag === "Deny")
    return yield* fail(reservation, describeReasons(verdict.reasons), failureTask(reservation, attended), Effect.void)
  if (verdict._tag === "Defer") return yield* wait(reservation, verdict.until, describeReason(verdict.reason))
  const leaseUntil = (yield* Clock.currentTimeMillis) + sendLeaseMillis
  if (yield* (yield* Sends).handOver(reservation, leaseUntil))
    return yield* transmit(reservation, verdict.clearance, attended)
  return { _tag: "Lost" } satisfies HandOverResult
})
