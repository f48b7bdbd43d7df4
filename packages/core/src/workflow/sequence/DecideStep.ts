import { Effect } from "effect"
import { isEnabled } from "../../domain/rule/Rule.ts"
import type { Enrolment, EnrolmentStop } from "../../domain/sequence/Enrolment.ts"
import { dateFault, plannedAt } from "../../domain/sequence/PlanStep.ts"
import type { SequenceStep, WaitStep } from "../../domain/sequence/Sequence.ts"
import { isUntilDate } from "../../domain/sequence/WaitUntil.ts"
import { stopped } from "./Enrolments.ts"
import { finished, postponed } from "./FinishStep.ts"
import { dueAtOf } from "./PlanEnrolment.ts"
import type { Due } from "./ReadDueStep.ts"
import { stopOf } from "./StopCheck.ts"

/**
 * What happens to an enrolment whose next step is due. `Hold`: its sequence is paused. `FollowDate`: its wait for a date
 * has not ended. A `Run` step takes effect now; a message is then subject to the limits of messages.
 */
export type StepDecision =
  | { readonly _tag: "Stop"; readonly reason: EnrolmentStop }
  | { readonly _tag: "Hold" }
  | { readonly _tag: "Complete" }
  | { readonly _tag: "FollowDate"; readonly step: SequenceStep }
  | { readonly _tag: "Refuse"; readonly step: SequenceStep; readonly reason: string }
  | { readonly _tag: "Delay"; readonly step: SequenceStep; readonly until: number; readonly reason: string }
  | { readonly _tag: "Run"; readonly step: SequenceStep }

/** Returns whether the rule that has started an enrolment no longer exists or is disabled. */
const stopOfRule = ({ sequence: { ruleId }, tenant }: Due): EnrolmentStop | null =>
  ruleId === null || tenant.config.rules.some((rule) => rule.id === ruleId && isEnabled(rule)) ? null : "rule_disabled"

/**
 * Decides about the next step of an enrolment at a time, without effects. A simulation decides with the same code, from
 * the facts of an earlier time. Runs in the unit of work that runs the step.
 */
export const decideStep = Effect.fnUntraced(function* (due: Due, now: number) {
  const decided = (decision: StepDecision) => decision
  const stop = stopOfRule(due) ?? (yield* stopOf(due))
  if (stop !== null) return decided({ _tag: "Stop", reason: stop })
  if (due.sequence.pausedAt !== null) return decided({ _tag: "Hold" })
  const { enrolment, followed, hours, step } = due
  if (step === null) return decided({ _tag: "Complete" })
  if (enrolment.nextAt !== null && enrolment.nextAt > now) return decided({ _tag: "FollowDate", step })
  const planned = plannedAt(hours, step, enrolment.baseAt, now)
  if (planned === null)
    return decided({ _tag: "Refuse", step, reason: "its hours permit no time in the next two weeks" })
  if (planned.at > now) {
    const reason = planned.reason ?? `the delay in version ${followed.version}`
    return decided({ _tag: "Delay", step, until: planned.at, reason })
  }
  return decided({ _tag: "Run", step })
})

/** Moves the end of a wait whose date has changed. A missing date counts at the end of the wait only. */
const dateFollowed = ({ enrolment, hours }: Due, step: SequenceStep, now: number): Enrolment => {
  const { baseAt, nextAt } = enrolment
  const isKept = dateFault(hours, step, baseAt, now) !== null
  const at = (isKept ? nextAt : plannedAt(hours, step, baseAt, now)?.at) ?? now
  return { ...enrolment, nextAt: at, dueAt: dueAtOf(step, at, now), defects: 0, updatedAt: now }
}

/** Returns an enrolment after a decision that runs no step. */
export const withoutStep = (
  due: Due,
  decision: Exclude<StepDecision, { readonly _tag: "Hold" | "Run" }>,
  now: number
): Enrolment => {
  const { enrolment } = due
  switch (decision._tag) {
    case "Stop":
      return stopped(enrolment, decision.reason, now)
    case "Complete":
      return { ...enrolment, state: "completed", step: null, nextAt: null, updatedAt: now }
    case "FollowDate":
      return dateFollowed(due, decision.step, now)
    case "Refuse":
      return finished(due, decision.step, "refused", now, { reason: decision.reason })
    case "Delay":
      return postponed(due, decision.step, decision, now)
  }
}

/** Returns an enrolment whose wait has ended. Without the date of the wait, it stops or continues. */
export const waited = (due: Due, step: WaitStep, now: number): Enrolment => {
  const { enrolment, hours } = due
  const fault = dateFault(hours, step, enrolment.baseAt, now)
  if (fault === null || !isUntilDate(step.until)) return finished(due, step, "waited", now)
  return step.until.otherwise === "continue"
    ? finished(due, step, "waited", now, { reason: fault })
    : stopped(enrolment, "no_date", now)
}
