import { Effect } from "effect"
import { type Enrolment, type EnrolmentStop, nextStep, withEntry } from "../../domain/sequence/Enrolment.ts"
import type { TaskId } from "../../domain/Id.ts"
import { contactClock, dayOf, nextDay, permittedAt, type StepHours } from "../../domain/sequence/PlanStep.ts"
import type { SendStep, SequenceStep } from "../../domain/sequence/Sequence.ts"
import { hourMillis, maxSendsPerHour } from "../../domain/sending/SendLimit.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { afterStep, followedVersion, plainEntry, plannedAt, stepHours } from "./PlanEnrolment.ts"
import { type DueStep, stopOf } from "./StopCheck.ts"

/** A step that is due, with its tenant and its hours. */
export interface Due extends DueStep {
  readonly tenant: Tenant
  readonly hours: StepHours
}

/** Reads everything about the next step of an enrolment. Null if its tenant is archived or its contact is gone. */
export const readDue = Effect.fnUntraced(function* (enrolment: Enrolment) {
  const { contactId, sequenceId, tenantId } = enrolment
  const tenant = yield* (yield* Tenants)
    .get(tenantId)
    .pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  const contact = yield* resolveMergedContact(tenantId, contactId)
  const sequence = yield* (yield* Sequences)
    .get(tenantId, sequenceId)
    .pipe(Effect.catchTag("SequenceNotFound", () => Effect.succeed(null)))
  if (tenant === null || contact === null || sequence === null) return null
  const followed = yield* followedVersion(sequence, enrolment)
  const step = nextStep(followed.steps, enrolment.history)
  const hours = yield* stepHours(tenant, contact)
  const due: Due = { tenant, contact, sequence, enrolment, followed, step, hours }
  return due
})

/** A step that waits until a later time. */
interface DelayedStep {
  readonly _tag: "Delay"
  readonly step: SequenceStep
  /** Epoch milliseconds. */
  readonly until: number
  readonly reason: string
}

/** What happens to an enrolment whose next step is due. `Run` steps take effect now. */
export type StepDecision =
  | { readonly _tag: "Stop"; readonly reason: EnrolmentStop }
  | { readonly _tag: "Complete" }
  | { readonly _tag: "Refuse"; readonly step: SequenceStep; readonly reason: string }
  | DelayedStep
  | { readonly _tag: "Run"; readonly step: SequenceStep }

/**
 * The emails per hour that sequences leave to people. A sequence with many contacts would otherwise use the hourly limit
 * of the tenant alone.
 */
export const sendsLeftToPeople = 10

/** Returns the time until which the limits of messages delay a message, and the reason; null if it may leave now. */
const limitOf = Effect.fnUntraced(function* ({ contact, hours, tenant }: Due, step: SendStep, now: number) {
  const { tenantId } = tenant
  const clock = contactClock(hours)
  const today = dayOf(clock, now)
  const histories = yield* (yield* Enrolments).sentSince(tenantId, contact.contactId, today)
  const sent = histories.flat().filter(({ at, outcome }) => outcome === "sent" && at >= today).length
  const { maxSequenceMessagesPerDay: cap } = tenant.config
  if (sent >= cap)
    return { until: nextDay(clock, now), reason: `sequences have sent ${sent} of at most ${cap} messages today` }
  if (step.channel === "sms") return null
  const slots = yield* (yield* Sends).slots(tenantId, now - hourMillis, maxSendsPerHour)
  const free = (slots[maxSendsPerHour - sendsLeftToPeople - 1] ?? 0) + hourMillis
  return free > now ? { until: free, reason: "the hourly limit of emails" } : null
})

/** Returns the decision that a step waits until a time, and then for its next permitted time. */
export const delayed = ({ hours }: Due, step: SequenceStep, until: number, reason: string): DelayedStep => ({
  _tag: "Delay",
  step,
  until: permittedAt(hours, step, until)?.at ?? until,
  reason
})

/**
 * Decides about the next step of an enrolment at a time, without effects. A simulation decides with the same code, from
 * the facts of an earlier time. Runs in the unit of work that runs the step.
 */
export const decideStep = Effect.fnUntraced(function* (due: Due, now: number) {
  const decided = (decision: StepDecision) => decision
  const stop = yield* stopOf(due)
  if (stop !== null) return decided({ _tag: "Stop", reason: stop })
  const { enrolment, followed, hours, step } = due
  if (step === null) return decided({ _tag: "Complete" })
  const planned = plannedAt(hours, step, enrolment.baseAt, now)
  if (planned === null)
    return decided({ _tag: "Refuse", step, reason: "its hours permit no time in the next two weeks" })
  if (planned.at > now) {
    const reason = planned.reason ?? `the delay in version ${followed.version}`
    return decided({ _tag: "Delay", step, until: planned.at, reason })
  }
  const limit = step.kind === "send" ? yield* limitOf(due, step, now) : null
  return limit === null ? decided({ _tag: "Run", step }) : delayed(due, step, limit.until, limit.reason)
})

/** Returns an enrolment that has stopped. */
export const stopped = (enrolment: Enrolment, stopReason: EnrolmentStop, now: number): Enrolment => ({
  ...enrolment,
  state: "stopped",
  stopReason,
  step: null,
  nextAt: null,
  dueAt: now,
  updatedAt: now
})

/** Returns an enrolment whose step waits until a later time. */
const postponed = ({ enrolment, followed }: Due, { reason, step, until }: DelayedStep, now: number): Enrolment => {
  const entry = { ...plainEntry(step.name, followed.version, "delayed", now, reason), until }
  return {
    ...enrolment,
    version: followed.version,
    step: step.name,
    nextAt: until,
    dueAt: until,
    history: withEntry(enrolment.history, entry),
    updatedAt: now
  }
}

/** The maximum length of a stored reason, in characters. */
const maxReasonLength = 500

/** Returns an enrolment after a completed step that sent no message, with the plan of the next one. */
export const finished = (
  { enrolment, followed, hours }: Due,
  step: SequenceStep,
  outcome: "refused" | "waited" | "task_created",
  now: number,
  { reason = null, taskId = null }: { readonly reason?: string | null; readonly taskId?: TaskId | null } = {}
): Enrolment => {
  const why = reason?.slice(0, maxReasonLength) ?? null
  const entry = { ...plainEntry(step.name, followed.version, outcome, now, why), taskId }
  return afterStep(enrolment, entry, followed, hours)
}

/** Returns an enrolment after a decision that runs no step. */
export const withoutStep = (
  due: Due,
  decision: Exclude<StepDecision, { readonly _tag: "Run" }>,
  now: number
): Enrolment => {
  const { enrolment } = due
  switch (decision._tag) {
    case "Stop":
      return stopped(enrolment, decision.reason, now)
    case "Complete":
      return { ...enrolment, state: "completed", step: null, nextAt: null, updatedAt: now }
    case "Refuse":
      return finished(due, decision.step, "refused", now, { reason: decision.reason })
    case "Delay":
      return postponed(due, decision, now)
  }
}
