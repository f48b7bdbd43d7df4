import { Effect } from "effect"
import type { MessageId } from "../../domain/Id.ts"
import type { Enrolment } from "../../domain/sequence/Enrolment.ts"
import type { SendStep } from "../../domain/sequence/Sequence.ts"
import { type Composition, plainComposition } from "../../domain/sending/Composition.ts"
import type { admitComposition } from "../conversation/AdmitComposition.ts"
import { type Due, delayed, finished, withoutStep } from "./DecideStep.ts"
import { afterStep, plainEntry } from "./PlanEnrolment.ts"
import type { RenderedStep } from "./RenderStep.ts"

/** Why a message does not leave: it is refused, or it waits for the hourly limit. */
export type Refusal = { readonly refused: string } | { readonly afterSeconds: number }

const refused = (reason: string) => Effect.succeed<Refusal>({ refused: reason })

type AdmissionError = Effect.Error<ReturnType<typeof admitComposition<never, never>>>

/**
 * Admits the message of a step: its contact has an address, and `admit` permits the message. Returns the result of
 * `admit`, or why the message does not leave.
 */
export const orRefused = <A, R>(
  { contact }: Due,
  step: SendStep,
  { body, subject }: Pick<RenderedStep, "body" | "subject">,
  admit: (composition: Composition) => Effect.Effect<A, AdmissionError, R>
) => {
  const { email, name } = contact
  if (step.channel === "email" && email === null) return refused("the contact has no email address")
  const to = step.channel === "email" && email !== null ? [{ email, name }] : []
  return admit({ ...plainComposition, channel: step.channel, body, subject, to }).pipe(
    Effect.catchTags({
      SendLimitReached: ({ rate }) => Effect.succeed<Refusal>({ afterSeconds: rate.retryAfterSeconds }),
      MailDenied: ({ reasons }) => refused(reasons.join("; ")),
      TextDenied: ({ reasons }) => refused(reasons.join("; ")),
      EmailRequestInvalid: ({ issues }) => refused(issues.map((issue) => issue.message).join(" ")),
      EmailNotConnected: () => refused("no email account is connected"),
      AccountUnavailable: ({ email: account, reason }) =>
        refused(`the email account ${account ?? "that received the email"} is ${reason}`),
      SmsNotConfigured: () => refused("no number is connected for texts"),
      TextTooLong: ({ limit }) => refused(`the text exceeds ${limit} characters`),
      UploadNotFound: () => refused("an attachment is no longer stored"),
      MessageNotFound: () => refused("the answered email no longer exists"),
      AnswerableEmailNotFound: () => refused("the contact has no email that can be answered; give the step a subject")
    })
  )
}

/** Returns an enrolment after a message that does not leave. */
export const afterRefusal = (due: Due, step: SendStep, refusal: Refusal, now: number): Enrolment =>
  "afterSeconds" in refusal
    ? withoutStep(due, delayed(due, step, now + refusal.afterSeconds * 1_000, "the hourly limit of emails"), now)
    : finished(due, step, "refused", now, { reason: refusal.refused })

/** Returns an enrolment after a message, and the entry about it. The id is null if the message is only simulated. */
export const afterSend = (
  { enrolment, followed, hours }: Due,
  step: SendStep,
  messageId: MessageId | null,
  now: number
) => {
  const entry = { ...plainEntry(step.name, followed.version, "sent", now), messageId }
  return { entry, after: afterStep(enrolment, entry, followed, hours) }
}
