import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { type Enrolment, type EnrolmentEntry, sequenceKey } from "../../domain/sequence/Enrolment.ts"
import { contactClock, dayOf, nextDay, permittedAt } from "../../domain/sequence/PlanStep.ts"
import type { SendStep } from "../../domain/sequence/Sequence.ts"
import { sequenceEvent } from "../../domain/sequence/SequenceEvent.ts"
import { type ChannelText, channelTexts, controlVariant, shareOf, variantAt } from "../../domain/sequence/StepText.ts"
import { hourMillis, maxSendsPerHour } from "../../domain/sending/SendLimit.ts"
import { plainComposition } from "../../domain/sending/Composition.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { admitComposition } from "../conversation/AdmitComposition.ts"
import { type RenderedBody, renderLongBody } from "../sending/ReserveSend.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { chooseStepSender, describeAccount, noAccount } from "./ChooseAccount.ts"
import { saveEnrolment } from "./Enrolments.ts"
import { finish, postpone } from "./FinishStep.ts"
import { countMessage, holdEnrolment, pauseOnExcess } from "./PauseSequence.ts"
import { afterStep, plainEntry } from "./PlanEnrolment.ts"
import { type Due, readDue } from "./ReadDueStep.ts"
import { type RenderedStep, renderStep } from "./RenderStep.ts"
import { waitForAccount } from "./WaitForAccount.ts"

/** A text on a channel that was rendered before the unit of work. */
interface PreparedText extends ChannelText {
  /** A text is the reason why there is no message. */
  readonly message: string | { readonly rendered: RenderedStep; readonly body: RenderedBody }
}

/** A message that was rendered before the unit of work, and the facts from which it was rendered. */
export interface PreparedMessage {
  readonly step: SendStep
  readonly contact: Contact
  /** The name of the chosen variant; null if the step has none. */
  readonly variant: string | null
  /** The texts in the order in which their channels are tried. */
  readonly texts: ReadonlyArray<PreparedText>
}

const userOf = Effect.fnUntraced(function* ({ enrolledByUser, tenantId }: Enrolment) {
  if (enrolledByUser === null) return null
  const users = yield* Users
  return yield* users.get(tenantId, enrolledByUser).pipe(Effect.catchTag("UserNotFound", () => Effect.succeed(null)))
})

/** Renders the message of the next step on each of its channels. Null if the step sends none. */
export const prepare = Effect.fnUntraced(function* (enrolment: Enrolment) {
  const due = yield* readDue(enrolment)
  if (due === null || due.step?.kind !== "send") return null
  const { contact, step, tenant } = due
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const variant = variantAt(step, shareOf(tenantId, enrolment.enrolmentId, step.name))
  const parties = { tenant, contact, user: yield* userOf(enrolment) }
  const texts: Array<PreparedText> = []
  for (const text of channelTexts(step, variant)) {
    const rendered = yield* renderStep(parties, text, now)
    const message =
      typeof rendered === "string" ? rendered : { rendered, body: yield* renderLongBody(tenantId, rendered.body) }
    texts.push({ ...text, message })
  }
  const name = step.variants === undefined ? null : (variant?.name ?? controlVariant)
  return { step, contact, variant: name, texts } satisfies PreparedMessage as PreparedMessage
})

const textValues = ({ company, contactId, email, name, phone }: Contact) =>
  JSON.stringify([contactId, name, email, phone, company])

/** Returns whether a message was rendered from the present facts. */
export const isCurrent = (prepared: PreparedMessage | null, { contact, step }: Due): prepared is PreparedMessage =>
  prepared !== null &&
  JSON.stringify(prepared.step) === JSON.stringify(step) &&
  textValues(prepared.contact) === textValues(contact)

/**
 * The emails per hour that sequences leave to people. A sequence with many contacts would otherwise use the hourly limit
 * of the tenant alone.
 */
export const sendsLeftToPeople = 10

/** Returns the time until which the daily limit delays a message, and the reason; null if it may leave now. */
const dailyLimitOf = Effect.fnUntraced(function* ({ contact, hours, tenant }: Due, now: number) {
  const clock = contactClock(hours)
  const today = dayOf(clock, now)
  const histories = yield* (yield* Enrolments).sentSince(tenant.tenantId, contact.contactId, today)
  const sent = histories.flat().filter(({ at, outcome }) => outcome === "sent" && at >= today).length
  const { maxSequenceMessagesPerDay: cap } = tenant.config
  return sent >= cap
    ? { until: nextDay(clock, now), reason: `sequences have sent ${sent} of at most ${cap} messages today` }
    : null
})

const hourlyLimit = "the hourly limit of emails"

/** Returns the time until which the hourly limit delays an email; null if it may leave now. */
const hourlyLimitOf = Effect.fnUntraced(function* (tenantId: string, now: number) {
  const slots = yield* (yield* Sends).slots(tenantId, now - hourMillis, maxSendsPerHour)
  const free = (slots[maxSendsPerHour - sendsLeftToPeople - 1] ?? 0) + hourMillis
  return free > now ? { until: free, reason: hourlyLimit } : null
})

const refused = (reason: string) => Effect.succeed({ refused: reason })

/** Reserves a text of a step under a key. Returns the id of the message, or why it is delayed, refused or waits. */
const reserveText = Effect.fnUntraced(function* (
  { contact, enrolment, tenant }: Due,
  text: PreparedText,
  key: string,
  now: number
) {
  const { channel, message } = text
  if (typeof message === "string") return { refused: message }
  const { email, name } = contact
  if (channel === "email" && email === null) return { refused: "the contact has no email address" }
  const limit = channel === "email" ? yield* hourlyLimitOf(tenant.tenantId, now) : null
  if (limit !== null) return limit
  const sender = channel === "email" ? yield* chooseStepSender(enrolment, text) : { from: null }
  if ("unavailable" in sender) return sender
  const { body, subject } = message.rendered
  const to = channel === "email" && email !== null ? [{ email, name }] : []
  return yield* admitComposition({
    tenant,
    contact,
    composition: { ...plainComposition, channel, body, subject, to, ...sender },
    rendered: message.body,
    key,
    fingerprint: key,
    override: null,
    holder: null,
    actor: "assistant",
    claimed: false,
    besides: Effect.void
  }).pipe(
    Effect.map(({ reservation }) => ({ messageId: reservation.messageId })),
    Effect.catchTags({
      SendLimitReached: ({ rate }) =>
        Effect.succeed({ until: now + rate.retryAfterSeconds * 1_000, reason: hourlyLimit }),
      MailDenied: ({ reasons }) => refused(reasons.join("; ")),
      TextDenied: ({ reasons }) => refused(reasons.join("; ")),
      EmailRequestInvalid: ({ issues }) => refused(issues.map((issue) => issue.message).join(" ")),
      EmailNotConnected: () => Effect.succeed(noAccount),
      AccountUnavailable: (unavailable) => Effect.succeed(describeAccount(unavailable)),
      SmsNotConfigured: () => refused("no number is connected for texts"),
      TextTooLong: ({ limit: characters }) => refused(`the text exceeds ${characters} characters`),
      UploadNotFound: () => refused("an attachment is no longer stored"),
      MessageNotFound: () => refused("the answered email no longer exists"),
      AnswerableEmailNotFound: () => refused("the contact has no email that can be answered; give the step a subject")
    })
  )
})

const maxReasonLength = 500

/**
 * Reserves the message of a step on the first channel that permits it. All channels have the same key, so that a step
 * sends one message. Returns why the channels before it were refused. A limit or an unavailable account delays the step:
 * a later channel is for contacts that cannot be reached on an earlier one.
 */
const reserve = Effect.fnUntraced(function* (due: Due, { texts }: PreparedMessage, now: number) {
  const { enrolment, step, tenant } = due
  const key = sequenceKey(enrolment.enrolmentId, step?.name ?? "")
  const known = yield* (yield* Sends).findByKey(tenant.tenantId, key)
  if (known !== null) return { messageId: known.messageId, text: null, reason: null }
  const reasons: Array<string> = []
  for (const text of texts) {
    const result = yield* reserveText(due, text, key, now)
    const reason = reasons.length === 0 ? null : reasons.join("; ").slice(0, maxReasonLength)
    if ("messageId" in result) return { messageId: result.messageId, text, reason }
    if ("until" in result || "unavailable" in result) return result
    reasons.push(texts.length === 1 ? result.refused : `${text.channel}: ${result.refused}`)
  }
  return { refused: reasons.join("; ") }
})

/** Runs a step that sends a message. Runs inside a unit of work. */
export const runSend = Effect.fnUntraced(function* (due: Due, prepared: PreparedMessage, now: number) {
  const { enrolment, followed, hours } = due
  const { step, variant } = prepared
  const delay = ({ reason, until }: { readonly reason: string; readonly until: number }) =>
    postpone(due, step, { until: permittedAt(hours, step, until)?.at ?? until, reason }, now)
  const limit = yield* dailyLimitOf(due, now)
  if (limit !== null) return yield* delay(limit)
  if (yield* pauseOnExcess(due.sequence, now)) return yield* holdEnrolment(enrolment, now)
  const result = yield* reserve(due, prepared, now)
  if ("until" in result) return yield* delay(result)
  if ("unavailable" in result) return yield* waitForAccount(due, step, result, now)
  if ("refused" in result) return yield* finish(due, step, "refused", now, { reason: result.refused })
  const { messageId, reason, text } = result
  yield* countMessage(due.sequence, text?.channel ?? step.channel, now)
  const entry: EnrolmentEntry = {
    ...plainEntry(step.name, followed.version, "sent", now, reason),
    messageId,
    ...(text !== null && { channel: text.channel }),
    ...(text?.isChosen === true && variant !== null && { variant })
  }
  const after = afterStep(enrolment, entry, followed, hours)
  yield* recordEvents([sequenceEvent("sequence.step_sent", { ...after, state: "active" }, entry)], now)
  yield* saveEnrolment(after)
})
