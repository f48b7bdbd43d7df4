import type { TaskId } from "../../domain/Id.ts"
import { type Enrolment, withEntry } from "../../domain/sequence/Enrolment.ts"
import type { SequenceStep } from "../../domain/sequence/Sequence.ts"
import { afterStep, plainEntry } from "./PlanEnrolment.ts"
import type { Due } from "./ReadDueStep.ts"

/** The delay of a step. `since` is the time at which it began. Default: now. */
interface Delay {
  readonly until: number
  readonly reason: string
  readonly since?: number
}

/** Returns an enrolment whose step waits until a later time, with the reason. */
export const postponed = (
  { enrolment, followed }: Due,
  step: SequenceStep,
  { reason, since, until }: Delay,
  now: number
): Enrolment => {
  const entry = { ...plainEntry(step.name, followed.version, "delayed", since ?? now, reason), until }
  return {
    ...enrolment,
    version: followed.version,
    step: step.name,
    nextAt: until,
    dueAt: until,
    history: withEntry(enrolment.history, entry),
    defects: 0,
    updatedAt: now
  }
}

/** Returns an enrolment after a completed step without a message, with the plan of the next one. */
export const finished = (
  { enrolment, followed, hours }: Due,
  step: SequenceStep,
  outcome: "refused" | "waited" | "task_created",
  now: number,
  { reason = null, taskId = null }: { readonly reason?: string | null; readonly taskId?: TaskId | null } = {}
): Enrolment => {
  const entry = { ...plainEntry(step.name, followed.version, outcome, now, reason?.slice(0, 500) ?? null), taskId }
  return afterStep(enrolment, entry, followed, hours)
}
