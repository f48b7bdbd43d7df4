import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { type Enrolment, type EnrolmentEntry, nextStep, placeOf, withEntry } from "../../domain/sequence/Enrolment.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { afterDelay, contactClock, permittedAt, type StepHours } from "../../domain/sequence/PlanStep.ts"
import type { Sequence, SequenceStep } from "../../domain/sequence/Sequence.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { contactZones } from "../sending/ContactQuietHours.ts"

/** Returns the hours that determine when the steps of a contact may run. */
export const stepHours = Effect.fnUntraced(function* (tenant: Tenant, contact: Contact) {
  const { guardrails, timeZone: tenantZone } = tenant.config
  return { zones: yield* contactZones(tenant, contact), tenantZone, guardrails } satisfies StepHours
})

/** Returns the earliest time of a step after its delay, in its hours. Null if its hours permit no time. */
export const plannedAt = (hours: StepHours, step: SequenceStep, baseAt: number, now: number) =>
  permittedAt(hours, step, Math.max(now, afterDelay(contactClock(hours), baseAt, step.delay)))

/** The version that an enrolment follows. */
export type FollowedVersion = Pick<Sequence, "steps" | "stopOn" | "version">

/**
 * Returns the version that an enrolment follows: its own, or the later one to which the sequence migrates its
 * enrolments.
 */
export const followedVersion = Effect.fnUntraced(function* (
  sequence: Sequence,
  { sequenceId, tenantId, version }: Pick<Enrolment, "sequenceId" | "tenantId" | "version">
) {
  const current: FollowedVersion = sequence
  const followed = Math.max(version, sequence.migratesTo)
  if (followed === sequence.version) return current
  const kept: FollowedVersion | null = yield* (yield* Sequences).version(tenantId, sequenceId, followed)
  return kept ?? current
})

/** Returns an enrolment with the plan of its next step. Without one, it is completed. */
export const withNextStep = (
  enrolment: Enrolment,
  { steps, version }: FollowedVersion,
  hours: StepHours,
  now: number
): Enrolment => {
  const step = nextStep(steps, enrolment.history)
  const changed = { ...enrolment, version, updatedAt: now }
  if (step === null) return { ...changed, state: "completed", step: null, nextAt: null, dueAt: now }
  const at = plannedAt(hours, step, enrolment.baseAt, now)?.at ?? now
  return { ...changed, step: step.name, nextAt: at, dueAt: at }
}

/** A contact that enters a sequence. */
export interface Entrant extends Pick<
  Enrolment,
  "contactId" | "enrolledBy" | "enrolledByUser" | "enrolmentId" | "repliesAfter"
> {
  readonly lead: Lead | null
}

/** Returns the enrolment of a contact that enters a version of a sequence, with the plan of its first step. */
export const beginEnrolment = (
  { lead, ...entrant }: Entrant,
  sequence: FollowedVersion & Pick<Sequence, "sequenceId" | "tenantId">,
  hours: StepHours,
  now: number
): Enrolment => {
  const begun: Enrolment = {
    ...entrant,
    tenantId: sequence.tenantId,
    sequenceId: sequence.sequenceId,
    leadId: lead?.leadId ?? null,
    leadPlace: lead === null ? null : placeOf(lead),
    version: sequence.version,
    state: "active",
    stopReason: null,
    step: null,
    nextAt: null,
    baseAt: now,
    history: [],
    lastSentAt: null,
    attempts: 0,
    dueAt: now,
    createdAt: now,
    updatedAt: now
  }
  return withNextStep(begun, sequence, hours, now)
}

/** Returns an entry of a history without a message, a task and a delay. */
export const plainEntry = (
  step: string,
  version: number,
  outcome: EnrolmentEntry["outcome"],
  at: number,
  reason: string | null = null
): EnrolmentEntry => ({ step, version, outcome, at, reason, until: null, messageId: null, taskId: null })

/** Returns an enrolment after a completed step: with its entry, and with the plan of the next step. */
export const afterStep = (
  enrolment: Enrolment,
  entry: EnrolmentEntry,
  followed: FollowedVersion,
  hours: StepHours
): Enrolment => {
  const history = withEntry(enrolment.history, entry)
  const lastSentAt = entry.outcome === "sent" ? entry.at : enrolment.lastSentAt
  return withNextStep({ ...enrolment, history, lastSentAt, baseAt: entry.at }, followed, hours, entry.at)
}
