/**
 * Decides about a due trigger run: what becomes of it, without its effects. Runs and simulations call these functions, so
 * that they cannot differ.
 */
import { Effect } from "effect"
import type { RequestedAction } from "../../domain/rule/Rule.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"
import type { TriggerRun } from "../../domain/run/TriggerRun.ts"
import { renderActions } from "../action/RenderActions.ts"
import { runBudgeted } from "../budget/RunBudgeted.ts"
import type { NotNow } from "./NotNow.ts"
import { evaluate, type RuleSubject } from "./ReadFacts.ts"

/** The decision about a due run, and the facts on which it depends. */
export interface Decision {
  readonly inputs: string
  readonly isMatched: boolean
  readonly reason: string
  readonly wanted: ReadonlyArray<RequestedAction>
}

/** Serialises everything on which a decision depends, except the time. */
export const inputsOf = ({ contact, lead, recordFacts, rule, tenant }: RuleSubject): string => {
  const { company, contactId, email, name, phone, tags } = contact
  const ofLead =
    lead === null ? null : [lead.leadId, lead.state, lead.assignee, lead.source, lead.createdAt, lead.score, lead.tier]
  return JSON.stringify([
    tenant.name,
    tenant.config.timeZone,
    rule,
    recordFacts,
    ofLead,
    [contactId, company, email, name, phone, tags]
  ])
}

/** Renders the actions of a rule without a message. */
export const renderTriggerActions = ({ contact, rule, tenant }: RuleSubject, now: number) => {
  const requested = rule.actions.map((action): RequestedAction => ({ ruleId: rule.id, action }))
  const subject = { tenant, contact, now, message: { subject: null, body: "" } }
  return runBudgeted(tenant.tenantId, (budget) => renderActions(subject, requested, budget))
}

/** Evaluates the rule of a due run, and renders its actions. Must run outside a unit of work, because it may be slow. */
export const decideRun = Effect.fnUntraced(function* (due: RuleSubject, now: number) {
  const inputs = inputsOf(due)
  const { isMatched, reason } = yield* evaluate(due, now)
  if (!isMatched) return { inputs, isMatched, reason, wanted: [] } satisfies Decision as Decision
  return yield* renderTriggerActions(due, now).pipe(
    Effect.map((wanted): Decision => ({ inputs, isMatched: true, reason, wanted })),
    Effect.catchTag("BudgetExceeded", (exceeded) =>
      Effect.succeed<Decision>({ inputs, isMatched: false, reason: exceeded.reason, wanted: [] })
    )
  )
})

/**
 * Returns the time of the event of a rule. A date is reached when the run is due. A contact who waits for an answer may
 * have written several messages.
 */
const eventAtOf = ({ causeAt, runAt, trigger }: TriggerRun): number | null => {
  if (trigger === "unanswered") return null
  return trigger === "date_reached" ? runAt : causeAt
}

/** The maximum length of a stored reason, in characters. */
const maxReasonLength = 500

/** Returns a run that does not take place now: it waits longer, or is prevented. */
export const notNow = (run: TriggerRun, { reason, until }: NotNow, now: number): TriggerRun => {
  const later = until === null ? { state: "prevented" as const } : { runAt: until, dueAt: until, defects: 0 }
  return { ...run, ...later, reason, updatedAt: now }
}

/** Returns the run after its decision. `actions` are the effects of the requested actions. */
export const decidedRun = (
  run: TriggerRun,
  { lead, rule, tenant }: RuleSubject,
  { isMatched, reason }: Decision,
  actions: ReadonlyArray<RunAction>,
  now: number
): TriggerRun => ({
  ...run,
  ruleName: rule.name,
  leadId: lead?.leadId ?? null,
  reason: reason.slice(0, maxReasonLength).toWellFormed(),
  configVersion: tenant.configVersion,
  updatedAt: now,
  state: isMatched ? "ran" : "not_matched",
  actions
})

/** Returns the records that the actions of a run may change, and their cause. */
export const targetOf = (run: TriggerRun, { contact, lead, tenant }: RuleSubject, now: number) => {
  const cause = { causeId: run.triggerRunId, eventAt: eventAtOf(run), trigger: run.trigger }
  return { tenant, contact, lead, message: null, signalId: null, actor: "system", ...cause, now } satisfies ActionTarget
}
