import { Effect } from "effect"
import type { ContactId, EnrolmentId, LeadId, UserId } from "../../domain/Id.ts"
import { type Enrolment, type EnrolmentEntry, isRunning } from "../../domain/sequence/Enrolment.ts"
import { isHeldOut } from "../../domain/sequence/Holdout.ts"
import type { SendStep, Sequence } from "../../domain/sequence/Sequence.ts"
import { makeAgenda } from "../../domain/simulation/Agenda.ts"
import { maxDecisions } from "../../domain/simulation/Simulation.ts"
import type { Composition } from "../../domain/sending/Composition.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { checkComposition } from "../conversation/AdmitComposition.ts"
import { type StartTarget, whyNotStarted } from "../action/SequenceActions.ts"
import {
  admitTexts,
  afterRefusal,
  afterSend,
  chooseTexts,
  dailyLimitOf,
  type PreparedText
} from "../sequence/AdmitStep.ts"
import { decideStep, waited, withoutStep } from "../sequence/DecideStep.ts"
import { stopped } from "../sequence/Enrolments.ts"
import { finished } from "../sequence/FinishStep.ts"
import { afterStep, beginEnrolment, followedVersion, stepHours, withNextStep } from "../sequence/PlanEnrolment.ts"
import { pausedMillis } from "../sequence/PauseSequence.ts"
import { type Due, readDue } from "../sequence/ReadDueStep.ts"
import { renderStep } from "../sequence/RenderStep.ts"
import { enrollerOf } from "../sequence/SendStep.ts"
import type { AsOf } from "./AsOf.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"

/** A contact that may enter the sequence. */
export interface Candidate {
  /** The id of the simulated enrolment. It is the real one if the simulation repeats a real enrolment. */
  readonly enrolmentId: EnrolmentId
  readonly contactId: ContactId
  /** The time of the enrolment, in epoch milliseconds. */
  readonly at: number
  /** Undefined: the contact's lead with the newest message. */
  readonly leadId: LeadId | null | undefined
  readonly enrolledBy: string
  readonly enrolledByUser: UserId | null
  readonly repliesAfter: number | null
  /** The version at the enrolment; null: the current one. */
  readonly version: number | null
  /** The action of a rule that enrols the contact; null: no action does. */
  readonly action: Pick<StartTarget, "byRule" | "cause" | "trigger"> | null
  /** The enrolment that really took place; null: none. */
  readonly actual: Enrolment | null
}

/** What would have become of a candidate. */
export interface Simulated {
  readonly candidate: Candidate
  /** Null: the contact would not have entered, or the simulation ended earlier. */
  readonly enrolment: Enrolment | null
  /** Why the contact would not have entered; null: it would have. */
  readonly reason: string | null
}

/** The fixed parts of a simulation. */
export interface SimulationScope {
  readonly tenant: Tenant
  readonly sequence: Sequence
  readonly time: SimulatedTime
  readonly asOf: AsOf
  readonly until: number
}

/** Something that people or rules really did: they skipped a step (`skip`), or ended or paused the enrolment. */
interface Intervention {
  readonly at: number
  readonly skip: EnrolmentEntry | null
}

/** A candidate on its way. */
interface Course {
  readonly id: string
  readonly at: number
  readonly candidate: Candidate
  readonly enrolment: Enrolment | null
  readonly interventions: ReadonlyArray<Intervention>
}

const interventionsOf = ({ actual }: Candidate): ReadonlyArray<Intervention> => {
  if (actual === null) return []
  const { history, pauseReason, state, stopReason, updatedAt } = actual
  const skips = history.filter(({ outcome }) => outcome === "skipped").map((skip) => ({ at: skip.at, skip }))
  const isPaused = state === "paused" && pauseReason === "by_person"
  const isEnded = isPaused || stopReason === "by_person" || stopReason === "by_rule"
  return isEnded ? [...skips, { at: updatedAt, skip: null }] : skips
}

/** Returns whether a candidate is in the holdout group: a real enrolment keeps its group. */
const isOutOf = ({ sequence }: SimulationScope, { actual }: Candidate, contactId: ContactId): boolean =>
  actual === null ? isHeldOut({ ...sequence, contactId }) : actual.state === "held_out"

/** Returns why a contact does not enter a sequence again; null if it does. */
const knownAs = Effect.fnUntraced(function* ({ sequenceId, tenantId }: Sequence, contactId: ContactId, isOut: boolean) {
  const { newest, running } = yield* Enrolments
  if ((yield* running(tenantId, sequenceId, contactId)) !== null) return "the contact is already in the sequence"
  const last = isOut ? yield* newest(tenantId, sequenceId, contactId) : null
  return last?.state === "held_out" ? "the contact is in the holdout group" : null
})

/** Enrols a candidate at the simulated time. Returns the reason if the contact does not enter. */
const enter = Effect.fnUntraced(function* (scope: SimulationScope, candidate: Candidate) {
  const { asOf, sequence, tenant, time } = scope
  const { tenantId } = tenant
  const { action, at, enrolledBy, enrolledByUser, enrolmentId, leadId, repliesAfter, version } = candidate
  const contact = yield* asOf(resolveMergedContact(tenantId, candidate.contactId))
  if (contact === null) return "the contact was deleted"
  const { contactId } = contact
  const why = action === null ? null : yield* asOf(whyNotStarted({ ...action, contact, now: at, tenant }, sequence))
  if (why !== null) return why
  if (contact.archivedAt !== null) return "the contact is archived"
  const isOut = isOutOf(scope, candidate, contactId)
  const twice = candidate.actual === null ? yield* asOf(knownAs(sequence, contactId, isOut)) : null
  if (twice !== null) return twice
  const id = leadId === undefined ? (yield* (yield* Leads).ofContact(tenantId, contactId, 1))[0]?.leadId : leadId
  const lead =
    id === undefined || id === null
      ? null
      : yield* asOf(Effect.flatMap(Leads, (leads) => leads.get(tenantId, id))).pipe(
          Effect.catchTag("LeadNotFound", () => Effect.succeed(null))
        )
  const entrant = { contactId, lead, enrolledBy, enrolledByUser, enrolmentId, repliesAfter }
  const followed = version === null ? sequence : yield* followedVersion(sequence, { ...sequence, version })
  const begun = beginEnrolment(entrant, { ...sequence, version: followed.version }, at)
  const enrolment: Enrolment = isOut
    ? { ...begun, state: "held_out" }
    : withNextStep(begun, followed, yield* asOf(stepHours(tenant, contact)), at)
  const known = time.enrolments.get(contactId)
  if (known === undefined) time.enrolments.set(contactId, [enrolment])
  else known.push(enrolment)
  return enrolment
})

/** Returns the id of the message that the real enrolment sent in this step. Its delivery is then a fact. */
const realMessage = ({ actual }: Candidate, step: SendStep) =>
  actual?.history.find((entry) => entry.step === step.name && entry.messageId !== null)?.messageId ?? null

/** Renders the texts of a step. Later emails answer the first simulated one, which is not stored. */
const textsOf = Effect.fnUntraced(function* ({ contact, enrolment, tenant }: Due, step: SendStep, now: number) {
  const { texts: chosen, variant } = chooseTexts(enrolment, step)
  const user = yield* enrollerOf(enrolment)
  const hasWritten = enrolment.history.some(({ outcome }) => outcome === "sent")
  const texts: Array<PreparedText<null>> = []
  for (const text of chosen) {
    const rendered = yield* renderStep({ tenant, contact, user }, text, now)
    const message =
      typeof rendered === "string"
        ? rendered
        : { rendered: { ...rendered, subject: rendered.subject ?? (hasWritten ? "" : null) }, body: null }
    texts.push({ ...text, message })
  }
  return { texts, variant }
})

/** Runs a step that sends a message, without the message. Returns the enrolment after it. */
const send = Effect.fnUntraced(function* (
  { asOf, tenant, time }: SimulationScope,
  course: Course,
  due: Due,
  step: SendStep
) {
  const { contact } = due
  const { now } = time
  const limit = yield* asOf(dailyLimitOf(due, now))
  if (limit !== null) return afterRefusal(due, step, limit, now)
  const { texts, variant } = yield* textsOf(due, step, now)
  const admit = (composition: Composition) => Effect.as(checkComposition({ tenant, contact, composition }), null)
  const result = yield* asOf(admitTexts(due, texts, admit, now))
  if (!("admitted" in result)) return afterRefusal(due, step, result, now)
  const { reason, text } = result
  if (text.channel === "email") time.slots.unshift(now)
  const sent = { messageId: realMessage(course.candidate, step), text, reason }
  return afterSend(due, { step, variant }, sent, now).after
})

/** Runs the next step of an enrolment at the simulated time. Null: its contact was deleted. */
const advance = Effect.fnUntraced(function* (scope: SimulationScope, course: Course, enrolment: Enrolment) {
  const { asOf, time } = scope
  const due = yield* asOf(readDue(enrolment))
  if (due === null) return null
  const decision = yield* asOf(decideStep(due, time.now))
  // `AsOf.ts` has no pauses of sequences.
  if (decision._tag === "Hold") return { ...enrolment, dueAt: time.now + pausedMillis } satisfies Enrolment as Enrolment
  if (decision._tag !== "Run") return withoutStep(due, decision, time.now)
  const { step } = decision
  if (step.kind === "wait") return waited(due, step, time.now)
  if (step.kind === "task") return finished(due, step, "task_created", time.now)
  return yield* send(scope, course, due, step)
})

/** Repeats what people and rules really did. */
const intervene = Effect.fnUntraced(function* ({ asOf, time }: SimulationScope, course: Course, enrolment: Enrolment) {
  const [{ skip = null } = {}] = course.interventions
  const { actual } = course.candidate
  if (skip === null) {
    if (actual?.state === "paused") {
      const paused: Enrolment = { ...enrolment, state: "paused", pauseReason: "by_person", updatedAt: time.now }
      return paused
    }
    return stopped(enrolment, actual?.stopReason ?? "by_person", time.now)
  }
  const due = yield* asOf(readDue(enrolment))
  return due === null || enrolment.step !== skip.step ? enrolment : afterStep(enrolment, skip, due.followed, due.hours)
})

const keep = ({ enrolments }: SimulatedTime, enrolment: Enrolment) => {
  const known = enrolments.get(enrolment.contactId) ?? []
  const index = known.findIndex(({ enrolmentId }) => enrolmentId === enrolment.enrolmentId)
  if (index !== -1) known[index] = enrolment
}

/** Returns the course of an enrolment with the time at which it continues; null if it has ended. */
const nextOf = (course: Course, enrolment: Enrolment): Course | null => {
  const [intervention] = course.interventions
  // A wait for a date is looked at before its end.
  const step = enrolment.state === "active" ? enrolment.dueAt : null
  const times = [step, intervention?.at ?? null].filter((at) => at !== null)
  if (!isRunning(enrolment) || times.length === 0) return null
  return { ...course, enrolment, at: Math.max(course.at, Math.min(...times)) }
}

/** Does the next thing that happens to a candidate, and returns the enrolment after it or why there is none. */
const happen = Effect.fnUntraced(function* (scope: SimulationScope, course: Course) {
  const { enrolment } = course
  const [intervention] = course.interventions
  if (enrolment === null) return { course, result: yield* enter(scope, course.candidate) }
  const isIntervention =
    intervention !== undefined && (enrolment.state !== "active" || intervention.at <= enrolment.dueAt)
  if (!isIntervention) return { course, result: yield* advance(scope, course, enrolment) }
  const rest = { ...course, interventions: course.interventions.slice(1) }
  return { course: rest, result: yield* intervene(scope, course, enrolment) }
})

/** The number of decisions after which other fibers run. */
const decisionsPerYield = 20

/**
 * Simulates the courses of candidates through a sequence, all of them in the order of time, because they share the hourly
 * limit. Decides with the code that runs steps (`decideStep`), as of the simulated time. Stores and sends nothing.
 * Returns the candidates with their enrolments, and the time that the simulation has reached: `until`, or earlier if it
 * needs more than `maxDecisions` decisions.
 */
export const runEnrolments = Effect.fnUntraced(function* (
  scope: SimulationScope,
  candidates: ReadonlyArray<Candidate>
) {
  const { time, until } = scope
  const agenda = makeAgenda<Course>()
  const results = new Map<string, Simulated>()
  for (const candidate of candidates) {
    const { at, enrolmentId: id } = candidate
    agenda.add({ id, at, candidate, enrolment: null, interventions: interventionsOf(candidate) })
    results.set(id, { candidate, enrolment: null, reason: null })
  }
  let reached = until
  for (let decisions = 0; ; decisions++) {
    const course = agenda.next()
    if (course === null || course.at >= until) break
    if (decisions === maxDecisions) {
      reached = course.at
      break
    }
    time.now = course.at
    time.current = course.id
    const { candidate } = course
    const { course: after, result } = yield* happen(scope, course)
    if (result === null || typeof result === "string") {
      results.set(course.id, { candidate, enrolment: course.enrolment, reason: result ?? "the contact was deleted" })
    } else {
      keep(time, result)
      results.set(course.id, { candidate, enrolment: result, reason: null })
      const next = nextOf(after, result)
      if (next !== null) agenda.add(next)
    }
    if (decisions % decisionsPerYield === 0) yield* Effect.yieldNow
  }
  return { results: [...results.values()], reached }
})
