import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { type Enrolment, sequenceKey } from "../../domain/sequence/Enrolment.ts"
import type { SendStep } from "../../domain/sequence/Sequence.ts"
import { sequenceEvent } from "../../domain/sequence/SequenceEvent.ts"
import type { Composition } from "../../domain/sending/Composition.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { admitComposition } from "../conversation/AdmitComposition.ts"
import { type RenderedBody, renderLongBody } from "../sending/ReserveSend.ts"
import { storeLinks } from "../link/TrackLinks.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { admitTexts, afterRefusal, afterSend, chooseTexts, dailyLimitOf, type PreparedText } from "./AdmitStep.ts"
import { saveEnrolment } from "./Enrolments.ts"
import { countMessage, holdEnrolment, pauseOnExcess } from "./PauseSequence.ts"
import { type Due, readDue } from "./ReadDueStep.ts"
import { renderStep } from "./RenderStep.ts"

/** A message that was rendered before the unit of work, and the facts from which it was rendered. */
export interface PreparedMessage {
  readonly step: SendStep
  readonly contact: Contact
  /** The name of the chosen variant; null if the step has none. */
  readonly variant: string | null
  /** The texts in the order in which their channels are tried. */
  readonly texts: ReadonlyArray<PreparedText<RenderedBody>>
}

/** Returns the user who enrolled the contact; null if it is unknown. */
export const enrollerOf = Effect.fnUntraced(function* ({ enrolledByUser, tenantId }: Enrolment) {
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
  const { texts: chosen, variant } = chooseTexts(enrolment, step)
  const parties = { tenant, contact, user: yield* enrollerOf(enrolment) }
  const texts: Array<PreparedText<RenderedBody>> = []
  for (const text of chosen) {
    const rendered = yield* renderStep(parties, text, now)
    const message =
      typeof rendered === "string" ? rendered : { rendered, body: yield* renderLongBody(tenantId, rendered.body) }
    texts.push({ ...text, message })
  }
  return { step, contact, variant, texts } satisfies PreparedMessage as PreparedMessage
})

const textValues = ({ company, contactId, email, name, phone }: Contact) =>
  JSON.stringify([contactId, name, email, phone, company])

/** Returns whether a message was rendered from the present facts. */
export const isCurrent = (prepared: PreparedMessage | null, { contact, step }: Due): prepared is PreparedMessage =>
  prepared !== null &&
  JSON.stringify(prepared.step) === JSON.stringify(step) &&
  textValues(prepared.contact) === textValues(contact)

/** Reserves the message of a step. All its channels have the same key, so that a step sends one message. */
const reserve = Effect.fnUntraced(function* (due: Due, { texts }: PreparedMessage, now: number) {
  const { contact, enrolment, step, tenant } = due
  const key = sequenceKey(enrolment.enrolmentId, step?.name ?? "")
  const known = yield* (yield* Sends).findByKey(tenant.tenantId, key)
  if (known !== null) return { messageId: known.messageId, text: null, reason: null }
  const admit = (composition: Composition, rendered: RenderedBody) =>
    admitComposition({
      tenant,
      contact,
      composition,
      rendered,
      key,
      fingerprint: key,
      override: null,
      holder: null,
      actor: "assistant",
      claimed: false,
      besides: Effect.void
    })
  const result = yield* admitTexts(due, texts, admit, now)
  if (!("admitted" in result)) return result
  const { admitted, reason, text } = result
  const { reservation } = admitted
  if (reservation.channel === "email") yield* storeLinks(tenant, reservation, enrolment, step?.name ?? "", now)
  return { messageId: reservation.messageId, text, reason }
})

/** Runs a step that sends a message. Runs inside a unit of work. */
export const runSend = Effect.fnUntraced(function* (due: Due, prepared: PreparedMessage, now: number) {
  const { step } = prepared
  const limit = yield* dailyLimitOf(due, now)
  if (limit !== null) return yield* saveEnrolment(afterRefusal(due, step, limit, now))
  if (yield* pauseOnExcess(due.sequence, now)) return yield* holdEnrolment(due.enrolment, now)
  const result = yield* reserve(due, prepared, now)
  if (!("messageId" in result)) return yield* saveEnrolment(afterRefusal(due, step, result, now))
  yield* countMessage(due.sequence, result.text?.channel ?? step.channel, now)
  const { after, entry } = afterSend(due, prepared, result, now)
  yield* recordEvents([sequenceEvent("sequence.step_sent", { ...after, state: "active" }, entry)], now)
  yield* saveEnrolment(after)
})
