import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { unavailableText } from "../../domain/email/Accounts.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import { sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import { describeUnsent, scheduledKey, type ScheduledSend, undoneKey } from "../../domain/sending/ScheduledSend.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { ScheduledSends } from "../../port/repository/conversation/ScheduledSends.ts"
import { Uploads } from "../../port/repository/conversation/Uploads.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type DraftChange, draftOfKey } from "../../domain/draft/Draft.ts"
import { admitApproved, checkDraftText, type CheckedDraftText, examineApproval } from "../draft/ApproveDraft.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { admitComposition } from "../conversation/AdmitComposition.ts"
import { quietEnd } from "../sending/ContactQuietHours.ts"
import { type RenderedBody, renderLongBody } from "../sending/ReserveSend.ts"
import { addTask, maxTaskTitleLength } from "../task/OpenTask.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"
import { log } from "../LogEvents.ts"
import { ActingUser } from "../ActingUser.ts"
import { withSpan } from "../WithSpan.ts"
import { replaceScheduled } from "./ReplaceScheduled.ts"
import { requireSendable } from "./SendableNow.ts"

/** Returns the record if it still waits in the version that the worker claimed, and its time has come. */
const stillDue = Effect.fnUntraced(function* ({ messageId, tenantId, version }: ScheduledSend, now: number) {
  const current = yield* (yield* ScheduledSends).find(tenantId, messageId)
  const isDue = current !== null && current.state === "scheduled" && current.sendAt <= now
  return isDue && current.version === version ? current : null
})

/** Returns whether the contact or a person of the tenant has written since the message was scheduled. */
const isAnswered = Effect.fnUntraced(function* (
  { createdAt, tenantId }: ScheduledSend,
  { contactId }: Pick<Contact, "contactId">
) {
  const since = yield* (yield* Messages).since(tenantId, contactId, createdAt)
  return since.some(({ actor, auto }) => actor === "agent" || (actor === "contact" && auto === null))
})

/** Ends or moves the wait. Runs inside a unit of work. */
const change = (scheduled: ScheduledSend, changes: Partial<ScheduledSend>, now: number) =>
  replaceScheduled({ ...scheduled, ...changes, updatedAt: now })

/**
 * Sends a due message, moves it to the end of quiet hours, or cancels it. All facts are read again in this unit of
 * work, so a cancellation that committed earlier wins, and a later one finds the state `sent`.
 */
const release = Effect.fnUntraced(function* (
  claimed: ScheduledSend,
  rendered: RenderedBody,
  looked: CheckedDraftText | null
) {
  const now = yield* Clock.currentTimeMillis
  const scheduled = yield* stillDue(claimed, now)
  if (scheduled === null) return
  const { cancelOnReply, composition, fingerprint, messageId, override, tenantId, undo } = scheduled
  const tenant = yield* (yield* Tenants).get(tenantId)
  const contact = yield* resolveMergedContact(tenantId, scheduled.contactId)
  if (contact === null) return yield* change(scheduled, { state: "failed", reason: "the contact was erased" }, now)
  if (cancelOnReply && (yield* isAnswered(scheduled, contact)))
    return yield* change(scheduled, { state: "canceled", reason: "a newer message arrived in the conversation" }, now)
  const quiet = undo ? null : yield* quietEnd(tenant, contact, now)
  if (quiet !== null) {
    const reason = describeReason({ code: "quiet_hours" })
    return yield* change(scheduled, { sendAt: quiet, dueAt: quiet, reason }, now)
  }
  const draftId = draftOfKey(scheduled.sendKey)
  if (draftId !== null) {
    const { contactId } = contact
    const approval = { draftId, contentHash: null, headMessageId: null, body: composition.body }
    const prepared = { looked, rendered, approved: composition }
    const examined = yield* examineApproval(tenant, contactId, approval, prepared)
    const besides = change(scheduled, { state: "sent", reason: null }, now)
    if ("draft" in examined) {
      yield* admitApproved(examined, { tenant, override, besides, holder: messageId, messageId, claimed: false })
      return
    }
    const reason = "reason" in examined ? examined.reason : "the draft was already sent"
    return yield* change(scheduled, { state: "failed", reason }, now)
  }
  yield* requireSendable({ tenant, contact, composition, override })
  yield* admitComposition({
    tenant,
    contact,
    composition,
    rendered,
    key: undo ? undoneKey(messageId) : scheduledKey(messageId),
    fingerprint,
    override,
    holder: messageId,
    messageId,
    claimed: false,
    besides: change(scheduled, { state: "sent", reason: null }, now)
  })
})

/** Stores that a message could not be sent at its time, and creates a task with its text for a person. */
const giveUp = Effect.fnUntraced(function* (claimed: ScheduledSend, reason: string) {
  const { contactId, messageId, tenantId } = claimed
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const scheduled = yield* stillDue(claimed, now)
      if (scheduled === null) return
      yield* change(scheduled, { state: "failed", reason: reason.slice(0, 500) }, now)
      // The person can attach the files to another message.
      yield* (yield* Uploads).hold(tenantId, [], messageId)
      yield* addTask({
        taskId: yield* (yield* Ids).next("task"),
        tenantId,
        type: "review",
        title: `A scheduled message could not be sent: ${reason}`.slice(0, maxTaskTitleLength),
        description: describeUnsent(scheduled),
        contactId,
        leadId: null,
        signalId: null,
        dueAt: null,
        createdAt: now
      })
    })
  )
  yield* log("message.schedule_failed", { tenant: tenantId, message_id: messageId, reason })
})

/** The reasons for which an approval that waited for its undo window is no longer valid. */
const describeChange: Readonly<Record<DraftChange, string>> = {
  dismissed: "the draft was dismissed",
  edited: "the draft has changed",
  newer_message: "a newer message arrived in the conversation",
  sent: "the draft was already sent",
  superseded: "a newer message arrived in the conversation"
}

/** Cancels an approval that is no longer valid. */
const withdraw = Effect.fnUntraced(function* (claimed: ScheduledSend, reason: string) {
  yield* (yield* Transactions).atomically(
    claimed.tenantId,
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const scheduled = yield* stillDue(claimed, now)
      if (scheduled !== null) yield* change(scheduled, { state: "canceled", reason }, now)
    })
  )
})

/** Checks the text of an approved draft before the unit of work, because the check may take long. */
const lookAt = Effect.fnUntraced(function* ({ composition, sendKey, tenantId }: ScheduledSend, rendered: RenderedBody) {
  if (draftOfKey(sendKey) === null) return null
  const { html, text } = composition.channel === "sms" ? { html: null, text: composition.body } : rendered
  return yield* checkDraftText(yield* (yield* Tenants).get(tenantId), html === null ? text : `${text}\n${html}`)
})

/** Delays a message that the hourly limit does not permit yet. */
const delay = Effect.fnUntraced(function* (claimed: ScheduledSend, seconds: number) {
  yield* (yield* Transactions).atomically(
    claimed.tenantId,
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const scheduled = yield* stillDue(claimed, now)
      const reason = describeReason({ code: "hourly_limit" })
      if (scheduled !== null)
        yield* (yield* ScheduledSends).replace({ ...scheduled, dueAt: now + seconds * 1_000, reason, updatedAt: now })
    })
  )
})

/** Returns the user who scheduled the message; null if the user is unknown or was removed. */
const authorOf = Effect.fnUntraced(function* ({ createdByUser, tenantId }: ScheduledSend) {
  if (createdByUser === null) return null
  const users = yield* Users
  return yield* users.get(tenantId, createdByUser).pipe(Effect.catchTag("UserNotFound", () => Effect.succeed(null)))
})

/** Releases a claimed message. Sends it at most once: the record and the send change in the same unit of work. */
export const releaseScheduled = Effect.fnUntraced(function* (claimed: ScheduledSend) {
  const { composition, tenantId } = claimed
  const run = Effect.gen(function* () {
    const rendered = yield* renderLongBody(tenantId, composition.body)
    const looked = yield* lookAt(claimed, rendered)
    const sending = Effect.provideService(release(claimed, rendered, looked), ActingUser, yield* authorOf(claimed))
    yield* (yield* Transactions).atomically(tenantId, sending)
  })
  const failed = (reason: string) => giveUp(claimed, reason)
  yield* run.pipe(
    Effect.catchTags({
      SendLimitReached: ({ rate }) => delay(claimed, rate.retryAfterSeconds),
      // The lease ends soon, and the message is claimed again.
      ParserUnavailable: ({ reason }) =>
        log("message.schedule_delayed", { tenant: tenantId, message_id: claimed.messageId, reason }),
      DraftChanged: ({ reason }) => withdraw(claimed, describeChange[reason]),
      ContactMerged: () => withdraw(claimed, "the contact was merged"),
      ContactNotFound: () => withdraw(claimed, "the contact no longer exists"),
      DraftNotFound: () => withdraw(claimed, "the draft no longer exists"),
      ChannelNotWritable: ({ channel }) => failed(`nothing can be sent on the channel ${channel}`),
      // The text was checked above, so it has changed since. The message is claimed again.
      DraftTextUnchecked: () => Effect.void,
      MailDenied: ({ reasons }) => failed(reasons.join("; ")),
      TextDenied: ({ reasons }) => failed(reasons.join("; ")),
      EmailRequestInvalid: ({ issues }) => failed(issues.map(({ message }) => message).join(" ")),
      AccountUnavailable: (unavailable) => failed(unavailableText(unavailable)),
      EmailNotConnected: () => failed("no email account is connected"),
      EmailClosed: () => failed("the tenant may not send email (HIPAA)"),
      SmsNotConfigured: () => failed("no number is connected for texts"),
      TextTooLong: ({ limit }) => failed(`the text exceeds ${limit} characters`),
      UploadNotFound: () => failed("an attachment is no longer stored"),
      MessageNotFound: () => failed("the answered email no longer exists"),
      AnswerableEmailNotFound: () => failed("the contact has no email that can be answered"),
      TenantNotFound: () => failed("the tenant no longer exists")
    })
  )
}, withSpan("releaseScheduled"))

/** The queue of scheduled messages whose time has come. */
export const scheduledQueue: Queue<
  ScheduledSend,
  ScheduledSends | Effect.Services<ReturnType<typeof releaseScheduled>>
> = {
  ...defaults,
  name: "scheduled",
  workers: 1,
  failure: "failed to send a scheduled message",
  about: ({ attempts, messageId, tenantId }) => ({ tenant: tenantId, message_id: messageId, attempts }),
  open: Effect.map(ScheduledSends, ({ claim, wait }) => ({
    claim: (limit, now) => claim(limit, now, now + sendLeaseMillis),
    run: (scheduled) => Effect.as(releaseScheduled(scheduled), null),
    wait
  }))
}

/** Claims and releases due scheduled messages once. Returns the number of these messages. */
export const workDueScheduled = () => workOnce(scheduledQueue)
