import type { TaskId } from "../../domain/Id.ts"
import { withEntry } from "../../domain/sequence/Enrolment.ts"
import type { SequenceStep } from "../../domain/sequence/Sequence.ts"
import { saveEnrolment } from "./Enrolments.ts"
import { afterStep, plainEntry } from "./PlanEnrolment.ts"
import type { Due } from "./ReadDueStep.ts"

/** The delay of a step. `since` is the time at which it began. Default: now. */
interface Delay {
  readonly until: number
  readonly reason: string
  readonly since?: number
}

/** Moves a step to a later time, with the reason. Runs inside a unit of work. */
export const postpone = (
  { enrolment, followed }: Due,
  step: SequenceStep,
  { reason, since, until }: Delay,
  now: number
) => {
  const entry = { ...plainEntry(step.name, followed.version, "delayed", since ?? now, reason), until }
  return saveEnrolment({
    ...enrolment,
    version: followed.version,
    step: step.name,
    nextAt: until,
    dueAt: until,
    history: withEntry(enrolment.history, entry),
    defects: 0,
    updatedAt: now
  })
}

/** Completes a step without a message, and plans the next one. Runs inside a unit of work. */
export const finish = (
  { enrolment, followed, hours }: Due,
  step: SequenceStep,
  outcome: "refused" | "waited" | "task_created",
  now: number,
  { reason = null, taskId = null }: { readonly reason?: string | null; readonly taskId?: TaskId | null } = {}
) => {
  const entry = { ...plainEntry(step.name, followed.version, outcome, now, reason?.slice(0, 500) ?? null), taskId }
  return saveEnrolment(afterStep(enrolment, entry, followed, hours))
}
