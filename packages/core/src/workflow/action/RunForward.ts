import { Clock, Effect } from "effect"
import { maySend } from "../../domain/consent/MaySend.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { ownAddresses, unavailableText } from "../../domain/email/Accounts.ts"
import { done as finished, type JobOutcome, again, type QueuedJob } from "../../domain/job/Job.ts"
import { describeReason, describeReasons } from "../../domain/reason/Reason.ts"
import { maxForwardsPerContact } from "../../domain/rule/action/Forward.ts"
import { type ForwardJob, forwardWindowMillis } from "../../domain/rule/action/ForwardJob.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import { type Composition, plainComposition } from "../../domain/sending/Composition.ts"
import { forwardKey } from "../../domain/sending/Reservation.ts"
import { hourMillis, maxSendsPerHour, nextSlot } from "../../domain/sending/SendLimit.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { RateLimits } from "../../port/system/RateLimits.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { connectedAccounts } from "../mailbox/Accounts.ts"
import { takeUploads } from "../sending/AttachUploads.ts"
import { chooseSender } from "../sending/ChooseSender.ts"
import { expandForward } from "../forward/ForwardMail.ts"
import { readForwardSendContext } from "../sending/ForwardSendContext.ts"
import { type RenderedBody, renderLongBody, reserveSend } from "../sending/ReserveSend.ts"
import { hourlyLimitOf } from "../sequence/AdmitStep.ts"
import { withSpan } from "../WithSpan.ts"
import { done, skipped } from "./AssignAction.ts"
import { concludeAction } from "./ConcludeAction.ts"

type Queued = QueuedJob<ForwardJob>
type Outcome = Pick<RunAction, "outcome" | "reason">

const dayMillis = 24 * 3_600_000

const failed = (reason: string): Outcome => ({ outcome: "failed", reason })

/** Ends the job with an outcome of its action, inside a unit of work. Has no effect if another worker has the job. */
const conclude = Effect.fnUntraced(function* (queued: Queued, outcome: Outcome) {
  const { job, tenantId } = queued
  if (yield* (yield* Jobs).finish(queued)) yield* concludeAction({ tenantId, triggerRunId: null, ...job }, outcome)
})

const end = Effect.fnUntraced(function* (queued: Queued, outcome: Outcome) {
  yield* (yield* Transactions).atomically(queued.tenantId, conclude(queued, outcome))
  return finished
})

/** Decides about the mail with the present facts. Null: it may leave now. */
const whyNotNow = Effect.fnUntraced(function* (
  { job, tenantId }: Queued,
  tenant: Tenant,
  message: Message,
  now: number
) {
  const verdict = maySend(
    yield* readForwardSendContext({ tenant, message, recipients: job.to, now, isReserved: false })
  )
  if (verdict._tag === "Deny") return skipped(describeReasons(verdict.reasons))
  if (verdict._tag === "Defer") return { until: verdict.until, reason: describeReason(verdict.reason) }
  return yield* hourlyLimitOf(tenantId, now)
})

const later = (
  { job }: Queued,
  { reason, until }: { readonly reason: string; readonly until: number }
): JobOutcome => ({
  _tag: "Later",
  dueAt: until,
  job,
  reason
})

/**
 * Counts the mail in the limit of the contact, once for all attempts of its job. Returns whether the limit permits it. A
 * server that stops between both counts permits this mail without counting it.
 */
const isWithinLimit = Effect.fnUntraced(function* (key: string, { contactId, tenantId }: Message, now: number) {
  const { consume } = yield* RateLimits
  const once = { limit: 1, windowMillis: dayMillis }
  if (!(yield* consume(tenantId, `forwarded:${key}`, once, now)).allowed) return true
  const rule = { limit: maxForwardsPerContact, windowMillis: dayMillis }
  return (yield* consume(tenantId, `forward:${contactId}`, rule, now)).allowed
})

/**
 * Reserves the mail and ends the job, in one unit of work. The key of the send belongs to the action, so a repeated job
 * sends nothing. The recipients get a conversation and a thread of their own, because an answer of theirs is no answer of
 * the contact who wrote the forwarded mail.
 */
const reserve = Effect.fnUntraced(function* (
  queued: Queued,
  tenant: Tenant,
  message: Message,
  composition: Composition,
  body: RenderedBody
) {
  const { job, tenantId } = queued
  const now = yield* Clock.currentTimeMillis
  const sends = yield* Sends
  const key = forwardKey(job.signalId, job.position)
  const known = yield* sends.findByKey(tenantId, key)
  if (known !== null) return yield* conclude(queued, done(`forwarded with ${known.messageId}`))
  const why = yield* whyNotNow(queued, tenant, message, now)
  if (why !== null && "until" in why) return later(queued, why)
  if (why !== null) return yield* conclude(queued, why)
  const accounts = yield* connectedAccounts(tenantId)
  const { from, grant } = yield* chooseSender(accounts, null, message, false)
  const attachments = yield* takeUploads(tenantId, composition, null)
  const { messageId } = yield* reserveSend({
    tenant,
    grant,
    own: ownAddresses(accounts.all),
    actor: "system",
    automatic: true,
    autoSubmitted: "auto-generated",
    from,
    to: composition.to,
    cc: [],
    bcc: [],
    attachments,
    subject: composition.subject ?? "",
    body,
    answers: null,
    contactId: null,
    key,
    fingerprint: key,
    slotAt: nextSlot(yield* sends.slots(tenantId, now - hourMillis, maxSendsPerHour), now).slotAt,
    claimed: false,
    now
  })
  yield* conclude(queued, done(`forwarded with ${messageId}`))
})

const forward = Effect.fnUntraced(function* (queued: Queued) {
  const { job, tenantId } = queued
  const { atomically } = yield* Transactions
  const now = yield* Clock.currentTimeMillis
  const tenant = yield* (yield* Tenants).get(tenantId)
  const message = yield* (yield* Messages).find(tenantId, job.messageId)
  if (message === null) return yield* end(queued, skipped(describeReason({ code: "forwarded_message_gone" })))
  const key = forwardKey(job.signalId, job.position)
  const known = yield* (yield* Sends).findByKey(tenantId, key)
  if (known !== null) return yield* end(queued, done(`forwarded with ${known.messageId}`))
  const why = yield* whyNotNow(queued, tenant, message, now)
  if (why !== null && "until" in why) return later(queued, why)
  if (why !== null) return yield* end(queued, why)
  const plain: Composition = {
    ...plainComposition,
    channel: "email",
    body: job.body,
    to: job.to.map((email) => ({ email, name: null })),
    forwardMessageId: job.messageId
  }
  const composition = yield* expandForward(tenantId, plain, { key, createdAt: queued.createdAt })
  const body = yield* renderLongBody(tenantId, composition.body)
  if (!(yield* isWithinLimit(key, message, now))) {
    const reason = `${maxForwardsPerContact} emails of the contact were forwarded within 24 hours`
    return yield* end(queued, skipped(reason))
  }
  return (yield* atomically(tenantId, reserve(queued, tenant, message, composition, body))) ?? finished
})

/** Tries again to read the files of the mail. After a day, a person has to forward it. */
const retry = Effect.fnUntraced(function* (queued: Queued, reason: string) {
  const isOver = (yield* Clock.currentTimeMillis) - queued.createdAt >= forwardWindowMillis
  return isOver ? yield* end(queued, failed(`${reason}. Forward the email by hand.`)) : again(reason)
})

/** Forwards the email of a run to the recipients that its rule states, at most once. */
export const runForward = (queued: Queued) =>
  forward(queued).pipe(
    Effect.catchTags({
      // Jobs of an archived tenant end without an effect.
      TenantNotFound: () => Effect.succeed(finished),
      MessageNotFound: () => end(queued, skipped(describeReason({ code: "forwarded_message_gone" }))),
      EmailNotConnected: () => end(queued, skipped(describeReason({ code: "no_email_account" }))),
      AccountUnavailable: (unavailable) => end(queued, skipped(unavailableText(unavailable))),
      AttachmentNotFound: () => end(queued, failed("an attachment is no longer stored. Forward the email by hand.")),
      UploadNotFound: ({ message }) => retry(queued, message),
      EmailRequestInvalid: ({ issues }) => end(queued, failed(issues.map((issue) => issue.message).join(" "))),
      ObjectsUnavailable: ({ reason }) => retry(queued, reason),
      ParserUnavailable: ({ reason }) => retry(queued, reason)
    }),
    withSpan("runForward")
  )
