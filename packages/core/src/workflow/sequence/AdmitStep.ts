/** The message of a step between its decision and its reservation: the limits of messages, its texts and channels. */
import { Effect } from "effect"
import type { MessageId } from "../../domain/Id.ts"
import type { Enrolment, EnrolmentEntry } from "../../domain/sequence/Enrolment.ts"
import { contactClock, dayOf, nextDay, permittedAt } from "../../domain/sequence/PlanStep.ts"
import type { SendStep } from "../../domain/sequence/Sequence.ts"
import { type ChannelText, channelTexts, controlVariant, shareOf, variantAt } from "../../domain/sequence/StepText.ts"
import { type Composition, plainComposition } from "../../domain/sending/Composition.ts"
import { hourMillis, maxSendsPerHour } from "../../domain/sending/SendLimit.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import type { admitComposition } from "../conversation/AdmitComposition.ts"
import { chooseStepSender, describeAccount, type NoAccount, noAccount } from "./ChooseAccount.ts"
import { finished, postponed } from "./FinishStep.ts"
import { afterStep, plainEntry } from "./PlanEnrolment.ts"
import type { Due } from "./ReadDueStep.ts"
import type { RenderedStep } from "./RenderStep.ts"
import { waitingForAccount } from "./WaitForAccount.ts"

/** A text on a channel, with the values of the contact. `Body` is the result of rendering a long text. */
export interface PreparedText<Body> extends ChannelText {
  /** A text is the reason why there is no message. */
  readonly message: string | { readonly rendered: Pick<RenderedStep, "body" | "subject">; readonly body: Body }
}

/** Chooses the texts of a step for an enrolment, in the order in which their channels are tried. */
export const chooseTexts = ({ enrolmentId, tenantId }: Pick<Enrolment, "enrolmentId" | "tenantId">, step: SendStep) => {
  const variant = variantAt(step, shareOf(tenantId, enrolmentId, step.name))
  /** The name of the chosen variant; null if the step has none. */
  const name = step.variants === undefined ? null : (variant?.name ?? controlVariant)
  return { variant: name, texts: channelTexts(step, variant) }
}

/**
 * The emails per hour that sequences leave to people. A sequence with many contacts would otherwise use the hourly limit
 * of the tenant alone.
 */
export const sendsLeftToPeople = 10

/** Returns the time until which the daily limit delays a message, and the reason; null if it may leave now. */
export const dailyLimitOf = Effect.fnUntraced(function* ({ contact, hours, tenant }: Due, now: number) {
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

/** Returns the time until which the hourly limit delays an automatic email; null if it may leave now. */
export const hourlyLimitOf = Effect.fnUntraced(function* (tenantId: string, now: number) {
  const slots = yield* (yield* Sends).slots(tenantId, now - hourMillis, maxSendsPerHour)
  const free = (slots[maxSendsPerHour - sendsLeftToPeople - 1] ?? 0) + hourMillis
  return free > now ? { until: free, reason: hourlyLimit } : null
})

/** Why a message does not leave: it is refused, waits for a limit, or waits for its account. */
export type Refusal = { readonly refused: string } | { readonly until: number; readonly reason: string } | NoAccount

const refused = (reason: string) => Effect.succeed({ refused: reason })

/** Permits a composed message, or fails with the reason why it is not permitted. */
type Admit<Body, A, R> = (
  composition: Composition,
  body: Body
) => Effect.Effect<A, Effect.Error<ReturnType<typeof admitComposition<never, never>>>, R>

/** Admits a text of a step. Returns the result of `admit`, or why the text is delayed, refused or waits. */
const admitText = Effect.fnUntraced(function* <Body, A, R>(
  { contact, enrolment, tenant }: Due,
  text: PreparedText<Body>,
  admit: Admit<Body, A, R>,
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
  return yield* admit({ ...plainComposition, channel, body, subject, to, ...sender }, message.body).pipe(
    Effect.map((admitted) => ({ admitted })),
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

/** A text that was admitted, and why the channels before it were refused; null: none was. */
interface Admitted<Body, A> {
  readonly admitted: A
  readonly text: PreparedText<Body>
  readonly reason: string | null
}

/**
 * Admits the message of a step on the first channel that permits it. Returns the result of `admit` with the text, and why
 * the channels before it were refused. A limit or an unavailable account delays the step: a later channel is for contacts
 * that cannot be reached on an earlier one.
 */
export const admitTexts = Effect.fnUntraced(function* <Body, A, R>(
  due: Due,
  texts: ReadonlyArray<PreparedText<Body>>,
  admit: Admit<Body, A, R>,
  now: number
) {
  const reasons: Array<string> = []
  for (const text of texts) {
    const result = yield* admitText(due, text, admit, now)
    const reason = reasons.length === 0 ? null : reasons.join("; ").slice(0, maxReasonLength)
    if ("admitted" in result)
      return { admitted: result.admitted, text, reason } satisfies Admitted<Body, A> as Admitted<Body, A>
    if ("until" in result || "unavailable" in result) return result satisfies Refusal as Refusal
    reasons.push(texts.length === 1 ? result.refused : `${text.channel}: ${result.refused}`)
  }
  return { refused: reasons.join("; ") } satisfies Refusal as Refusal
})

/** Returns an enrolment after a message that does not leave. */
export const afterRefusal = (due: Due, step: SendStep, refusal: Refusal, now: number): Enrolment => {
  if ("unavailable" in refusal) return waitingForAccount(due, step, refusal, now)
  if ("refused" in refusal) return finished(due, step, "refused", now, { reason: refusal.refused })
  const { reason, until } = refusal
  return postponed(due, step, { until: permittedAt(due.hours, step, until)?.at ?? until, reason }, now)
}

/** A message that has left, or that was reserved earlier: its `text` is then null. */
interface SentText {
  /** Null if the message is only simulated. */
  readonly messageId: MessageId | null
  readonly text: ChannelText | null
  /** Why the channels before it were refused; null: none was. */
  readonly reason: string | null
}

/** Returns an enrolment after a message, and the entry about it. */
export const afterSend = (
  { enrolment, followed, hours }: Due,
  { step, variant }: { readonly step: SendStep; readonly variant: string | null },
  { messageId, reason, text }: SentText,
  now: number
) => {
  const entry: EnrolmentEntry = {
    ...plainEntry(step.name, followed.version, "sent", now, reason),
    messageId,
    ...(text !== null && { channel: text.channel }),
    ...(text?.isChosen === true && variant !== null && { variant })
  }
  return { entry, after: afterStep(enrolment, entry, followed, hours) }
}
