import { Clock, Effect } from "effect"
import type { Enrolment } from "../../domain/sequence/Enrolment.ts"
import type { SequenceStep } from "../../domain/sequence/Sequence.ts"
import { isUntilDate } from "../../domain/sequence/WaitUntil.ts"
import { sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { addTask } from "../task/OpenTask.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"
import { onDefect } from "../worker/OnDefect.ts"
import { log } from "../LogEvents.ts"
import { withSpan } from "../WithSpan.ts"
import { decideStep, waited, withoutStep } from "./DecideStep.ts"
import { saveEnrolment, stillClaimed } from "./Enrolments.ts"
import { finished } from "./FinishStep.ts"
import { holdEnrolment } from "./PauseSequence.ts"
import { type Due, readDue } from "./ReadDueStep.ts"
import { recordStepDefect } from "./RecordStepDefect.ts"
import { isCurrent, prepare, type PreparedMessage, runSend } from "./SendStep.ts"

/** The delay of an enrolment whose tenant is archived and may be restored, in milliseconds. */
const archivedMillis = 3_600_000

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
  const enrolment = yield* stillClaimed(claimed)
  if (enrolment === null || enrolment.nextAt === null) return
  const isEarly = enrolment.nextAt > now
  const due = yield* readDue(enrolment)
  if (due === null) return yield* saveEnrolment({ ...enrolment, dueAt: now + archivedMillis })
  // Only a wait for a date is claimed before its time.
  if (isEarly && (due.step?.kind !== "wait" || !isUntilDate(due.step.until))) return
  const decision = yield* decideStep(due, now)
  if (decision._tag === "Hold") return yield* holdEnrolment(enrolment, now)
  if (decision._tag !== "Run") return yield* saveEnrolment(withoutStep(due, decision, now))
  const { step } = decision
  if (step.kind === "wait") return yield* saveEnrolment(waited(due, step, now))
  if (step.kind === "task") return yield* runTask(due, step, now)
  // A fact of the text has changed since it was rendered, so the step is claimed again immediately.
  if (!isCurrent(prepared, due)) return yield* saveEnrolment({ ...enrolment, dueAt: now })
  yield* runSend(due, prepared, now)
})

/**
 * Runs the next step of a claimed enrolment. The step and the progress of the enrolment are one unit of work. A defect
 * delays the step, and after `maxDefects` it pauses the enrolment.
 */
export const runEnrolment = Effect.fnUntraced(function* (claimed: Enrolment) {
  const { enrolmentId, tenantId } = claimed
  const run = Effect.gen(function* () {
    const prepared = yield* prepare(claimed)
    yield* (yield* Transactions).atomically(tenantId, advance(claimed, prepared))
  })
  // The lease ends soon, and the enrolment is claimed again.
  yield* onDefect(run, (cause) => recordStepDefect(claimed, cause)).pipe(
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
