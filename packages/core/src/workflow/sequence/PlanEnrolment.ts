import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { type Enrolment, type EnrolmentEntry, nextStep, placeOf, withEntry } from "../../domain/sequence/Enrolment.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { plannedAt, type StepHours } from "../../domain/sequence/PlanStep.ts"
import type { Sequence, SequenceStep } from "../../domain/sequence/Sequence.ts"
import { isUntilDate } from "../../domain/sequence/WaitUntil.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { contactZones } from "../sending/ContactQuietHours.ts"

/** Returns the hours that determine when the steps of a contact may run. */
export const stepHours = Effect.fnUntraced(function* (tenant: Tenant, contact: Contact) {
  const { guardrails, timeZone: tenantZone } = tenant.config
  const { customFields } = contact
  return { zones: yield* contactZones(tenant, contact), tenantZone, guardrails, customFields } satisfies StepHours
})

/** The maximum time until a wait for a date of the contact reads the date again, in milliseconds. */
const dateCheckMillis = 86_400_000

/** Returns the time from which a worker can claim an enrolment whose next step is planned at a time. */
export const dueAtOf = (step: SequenceStep, nextAt: number, now: number): number =>
  step.kind === "wait" && isUntilDate(step.until) ? Math.min(nextAt, now + dateCheckMillis) : nextAt

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
  if (step === null) return { ...changed, state: "completed", pauseReason: null, step: null, nextAt: null, dueAt: now }
  const at = plannedAt(hours, step, enrolment.baseAt, now)?.at ?? now
  return { ...changed, step: step.name, nextAt: at, dueAt: dueAtOf(step, at, now) }
}

/** A contact that enters a sequence. */
export interface Entrant extends Pick<
  Enrolment,
  "contactId" | "enrolledBy" | "enrolledByUser" | "enrolmentId" | "repliesAfter"
> {
  readonly lead: Lead | null
}

/** Returns the enrolment of a contact that enters a version of a sequence, without the plan of its first step. */
export const beginEnrolment = (
  { lead, ...entrant }: Entrant,
  { sequenceId, tenantId, version }: Pick<Sequence, "sequenceId" | "tenantId" | "version">,
  now: number
): Enrolment => ({
  ...entrant,
  tenantId,
  sequenceId,
  leadId: lead?.leadId ?? null,
  leadPlace: lead === null ? null : placeOf(lead),
  version,
  state: "active",
  stopReason: null,
  pauseReason: null,
  step: null,
  nextAt: null,
  baseAt: now,
  history: [],
  lastSentAt: null,
  optedOutAt: null,
  answeredAt: null,
  attempts: 0,
  defects: 0,
  dueAt: now,
  createdAt: now,
  updatedAt: now
})

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
  return withNextStep({ ...enrolment, history, lastSentAt, baseAt: entry.at, defects: 0 }, followed, hours, entry.at)
}
