import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { type Enrolment, sequenceKey } from "../../domain/sequence/Enrolment.ts"
import type { SendStep, SequenceStep } from "../../domain/sequence/Sequence.ts"
import { sequenceEvent } from "../../domain/sequence/SequenceEvent.ts"
import { sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { admitComposition } from "../conversation/AdmitComposition.ts"
import { type RenderedBody, renderLongBody } from "../sending/ReserveSend.ts"
import { addTask } from "../task/OpenTask.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"
import { log } from "../LogEvents.ts"
import { withSpan } from "../WithSpan.ts"
import { afterRefusal, afterSend, orRefused } from "./AdmitStep.ts"
import { decideStep, type Due, finished, readDue, withoutStep } from "./DecideStep.ts"
import { saveEnrolment } from "./Enrolments.ts"
import { type RenderedStep, renderStep } from "./RenderStep.ts"

/** A message that was rendered before the unit of work, and the facts from which it was rendered. */
interface PreparedMessage {
  readonly step: SendStep
  readonly contact: Contact
  /** A text is the reason why there is no message. */
  readonly message: string | { readonly rendered: RenderedStep; readonly body: RenderedBody }
}

/** Returns the user who enrolled the contact; null if it is unknown. */
export const enrollerOf = Effect.fnUntraced(function* ({ enrolledByUser, tenantId }: Enrolment) {
  if (enrolledByUser === null) return null
  const users = yield* Users
  return yield* users.get(tenantId, enrolledByUser).pipe(Effect.catchTag("UserNotFound", () => Effect.succeed(null)))
})

/** Renders the message of the next step. Null if the step sends none. */
const prepare = Effect.fnUntraced(function* (enrolment: Enrolment) {
  const due = yield* readDue(enrolment)
  if (due === null || due.step?.kind !== "send") return null
  const { contact, step, tenant } = due
  const now = yield* Clock.currentTimeMillis
  const rendered = yield* renderStep({ tenant, contact, user: yield* enrollerOf(enrolment) }, step, now)
  const message =
    typeof rendered === "string" ? rendered : { rendered, body: yield* renderLongBody(tenant.tenantId, rendered.body) }
  return { step, contact, message } satisfies PreparedMessage as PreparedMessage
})

const textValues = ({ company, contactId, email, name, phone }: Contact) =>
  JSON.stringify([contactId, name, email, phone, company])

/** Returns whether a message was rendered from the present facts. */
const isCurrent = (prepared: PreparedMessage | null, { contact, step }: Due): prepared is PreparedMessage =>
  prepared !== null &&
  JSON.stringify(prepared.step) === JSON.stringify(step) &&
  textValues(prepared.contact) === textValues(contact)

/** Returns the enrolment if it still waits as the worker claimed it, and its time has come. */
const stillDue = Effect.fnUntraced(function* ({ attempts, enrolmentId, tenantId }: Enrolment, now: number) {
  const current = yield* (yield* Enrolments).find(tenantId, enrolmentId)
  if (current === null || current.state !== "active" || current.attempts !== attempts) return null
  return current.nextAt !== null && current.nextAt <= now ? current : null
})

/** The delay of an enrolment whose tenant is archived and may be restored, in milliseconds. */
const archivedMillis = 3_600_000

/** Reserves the message of a step under its key. Returns the id of the message, or why it is refused. */
const reserve = Effect.fnUntraced(function* (due: Due, { message, step }: PreparedMessage) {
  const { enrolment, tenant } = due
  if (typeof message === "string") return { refused: message }
  const key = sequenceKey(enrolment.enrolmentId, step.name)
  const known = yield* (yield* Sends).findByKey(tenant.tenantId, key)
  if (known !== null) return { messageId: known.messageId }
  return yield* orRefused(due, step, message.rendered, (composition) =>
    Effect.map(
      admitComposition({
        tenant,
        contact: due.contact,
        composition,
        rendered: message.body,
        key,
        fingerprint: key,
        override: null,
        holder: null,
        actor: "assistant",
        claimed: false,
        besides: Effect.void
      }),
      ({ reservation }) => ({ messageId: reservation.messageId })
    )
  )
})

/** Runs a step that sends a message. Runs inside a unit of work. */
const runSend = Effect.fnUntraced(function* (due: Due, prepared: PreparedMessage, now: number) {
  const { step } = prepared
  const result = yield* reserve(due, prepared)
  if (!("messageId" in result)) return yield* saveEnrolment(afterRefusal(due, step, result, now))
  const { after, entry } = afterSend(due, step, result.messageId, now)
  yield* recordEvents([sequenceEvent("sequence.step_sent", { ...after, state: "active" }, entry)], now)
  yield* saveEnrolment(after)
})

const runTask = Effect.fnUntraced(function* (
  due: Due,
  step: Extract<SequenceStep, { readonly kind: "task" }>,
  now: number
) {
  const { contact, enrolment } = due
  const taskId = yield* (yield* Ids).next("task")
  const { leadId, tenantId } = enrolment
  yield* addTask({
    taskId,
    tenantId,
    type: "follow_up",
    title: step.title,
    contactId: contact.contactId,
    leadId,
    signalId: null,
    dueAt: null,
    createdAt: now
  })
  yield* saveEnrolment(finished(due, step, "task_created", now, { taskId }))
})

/**
 * Runs the next step of a claimed enrolment, moves it, or stops the enrolment. All facts are read again in this unit of
 * work: a reply, an opt-out or a change by a person that committed earlier wins.
 */
const advance = Effect.fnUntraced(function* (claimed: Enrolment, prepared: PreparedMessage | null) {
  const now = yield* Clock.currentTimeMillis
  const enrolment = yield* stillDue(claimed, now)
  if (enrolment === null) return
  const due = yield* readDue(enrolment)
  if (due === null) return yield* saveEnrolment({ ...enrolment, dueAt: now + archivedMillis })
  const decision = yield* decideStep(due, now)
  if (decision._tag !== "Run") return yield* saveEnrolment(withoutStep(due, decision, now))
  const { step } = decision
  if (step.kind === "wait") return yield* saveEnrolment(finished(due, step, "waited", now))
  if (step.kind === "task") return yield* runTask(due, step, now)
  // A fact of the text has changed since it was rendered, so the step is claimed again immediately.
  if (!isCurrent(prepared, due)) return yield* saveEnrolment({ ...enrolment, dueAt: now })
  yield* runSend(due, prepared, now)
})

/** Runs the next step of a claimed enrolment. The step and the progress of the enrolment are one unit of work. */
export const runEnrolment = Effect.fnUntraced(function* (claimed: Enrolment) {
  const { enrolmentId, tenantId } = claimed
  const run = Effect.gen(function* () {
    const prepared = yield* prepare(claimed)
    yield* (yield* Transactions).atomically(tenantId, advance(claimed, prepared))
  })
  // The lease ends soon, and the enrolment is claimed again.
  yield* run.pipe(
    Effect.catchTag("ParserUnavailable", ({ reason }) =>
      log("sequence.step_delayed", { tenant: tenantId, enrolment: enrolmentId, reason })
    )
  )
}, withSpan("runEnrolment"))

/** The queue of enrolments whose next step is due. */
export const sequenceQueue: Queue<Enrolment, Enrolments | Effect.Services<ReturnType<typeof runEnrolment>>> = {
  ...defaults,
  name: "sequences",
  workers: 1,
  failure: "failed to run the step of a sequence",
  about: ({ attempts, enrolmentId, tenantId }) => ({ tenant: tenantId, enrolment: enrolmentId, attempts }),
  open: Effect.map(Enrolments, ({ claim, wait }) => ({
    claim: (limit, now) => claim(limit, now, now + sendLeaseMillis),
    run: (enrolment) => Effect.as(runEnrolment(enrolment), null),
    wait
  }))
}

/** Claims due enrolments and runs their steps once. Returns the number of these enrolments. */
export const workDueEnrolments = () => workOnce(sequenceQueue)
