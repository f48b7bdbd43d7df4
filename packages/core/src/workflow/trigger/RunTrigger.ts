/**
 * Runs rules with another trigger than messages when they are due, and lists these runs. Their causes are stored by
 * `workflow/cause`. Rules that react to messages belong to `workflow/pipeline`. Tests:
 * `packages/testkit/src/suite/pipeline/TriggerSuite.ts` and `ChangeSuite.ts`,
 * `packages/server/test/mail/TriggerCrash.test.ts`.
 */
import { Clock, Effect } from "effect"
import { makeBudget, runLimits } from "../../domain/budget/Budget.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import type { RequestedAction, Rule } from "../../domain/rule/Rule.ts"
import { triggerFactsOf } from "../../domain/rule/TriggerFacts.ts"
import type { TriggerRun } from "../../domain/run/TriggerRun.ts"
import { sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import { CompiledConfigs } from "../../domain/tenant/CompiledConfigs.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { ChangesAreCauses } from "../cause/StoreChanges.ts"
import { runBudgeted } from "../budget/RunBudgeted.ts"
import { explainRules } from "../pipeline/ExplainRun.ts"
import { performActions, reportLeadChange } from "../pipeline/PerformActions.ts"
import { renderActions } from "../pipeline/RenderActions.ts"
import { performSequenceActions } from "../pipeline/SequenceActions.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"
import { withSpan } from "../WithSpan.ts"
import { type Due, readDue } from "./ReadDue.ts"

/** The decision about a due run, and the facts on which it depends. */
interface Decision {
  readonly inputs: string
  readonly isMatched: boolean
  readonly reason: string
  readonly wanted: ReadonlyArray<RequestedAction>
}

/** Serialises everything on which a decision depends, except the time. */
const inputsOf = ({ contact, lead, recordFacts, rule, tenant }: Due): string => {
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

/** Evaluates a rule without a message for a contact. Returns the facts, and the result with its reason. */
export const evaluateTrigger = Effect.fnUntraced(function* (due: Due, now: number) {
  const { rule, tenant } = due
  const { timeAt } = yield* (yield* CompiledConfigs).of(tenant)
  const facts = triggerFactsOf({ ...due, now, time: timeAt(now) })
  const [story = null] = yield* explainRules([rule], facts, makeBudget(runLimits))
  return { facts, story }
})

/** Renders the actions of a rule without a message. */
export const renderTriggerActions = ({ contact, rule, tenant }: Due, now: number) => {
  const requested = rule.actions.map((action): RequestedAction => ({ ruleId: rule.id, action }))
  const subject = { tenant, contact, now, message: { subject: null, body: "" } }
  return runBudgeted(tenant.tenantId, (budget) => renderActions(subject, requested, budget))
}

/** Evaluates the rule of a due run, and renders its actions. Must run outside a unit of work, because it may be slow. */
const decide = Effect.fnUntraced(function* (due: Due, now: number) {
  const inputs = inputsOf(due)
  const { story } = yield* evaluateTrigger(due, now)
  const reason = story?.reason ?? ""
  if (story?.outcome !== "matched")
    return { inputs, isMatched: false, reason, wanted: [] } satisfies Decision as Decision
  return yield* renderTriggerActions(due, now).pipe(
    Effect.map((wanted): Decision => ({ inputs, isMatched: true, reason, wanted })),
    Effect.catchTag("BudgetExceeded", (exceeded) =>
      Effect.succeed<Decision>({ inputs, isMatched: false, reason: exceeded.reason, wanted: [] })
    )
  )
})

/** Returns the run if it still waits as the worker claimed it. */
const stillWaiting = Effect.fnUntraced(function* ({ attempts, tenantId, triggerRunId }: TriggerRun) {
  const current = yield* (yield* TriggerRuns).find(tenantId, triggerRunId)
  return current?.state === "waiting" && current.attempts === attempts ? current : null
})

/** Stores the lead if the actions changed it. Returns the outbound events about it. */
const storeLead = Effect.fnUntraced(function* (before: Lead | null, after: Lead | null, { name }: Rule, now: number) {
  if (before === null || after === null || before === after) return []
  const changed = { ...after, updatedAt: now }
  yield* (yield* Leads).update(changed, before)
  return yield* reportLeadChange(before, changed, { actor: "system", reason: `the rule ${name}` }, now)
})

/** The maximum length of a stored reason, in characters. */
const maxReasonLength = 500

/**
 * Ends a claimed run, or moves it to a later time. All facts are read again in this unit of work: a message or a change
 * of the rule that committed earlier wins.
 */
const end = Effect.fnUntraced(function* (claimed: TriggerRun, decision: Decision | null) {
  const now = yield* Clock.currentTimeMillis
  const { replace } = yield* TriggerRuns
  const run = yield* stillWaiting(claimed)
  if (run === null) return
  const due = yield* readDue(run, now)
  if ("until" in due) {
    const { reason, until } = due
    const later = until === null ? { state: "prevented" as const } : { runAt: until, dueAt: until }
    return yield* replace({ ...run, ...later, reason, updatedAt: now })
  }
  const { contact, lead, rule, tenant } = due
  // A fact has changed since the decision, so the run is claimed again immediately.
  if (decision === null || decision.inputs !== inputsOf(due)) return yield* replace({ ...run, dueAt: now })
  const decided: TriggerRun = {
    ...run,
    ruleName: rule.name,
    leadId: lead?.leadId ?? null,
    reason: decision.reason.slice(0, maxReasonLength).toWellFormed(),
    configVersion: tenant.configVersion,
    updatedAt: now
  }
  if (!decision.isMatched) return yield* replace({ ...decided, state: "not_matched" })
  const causeId = run.triggerRunId
  const target = { tenant, contact, lead, message: null, signalId: null, actor: "system" as const, causeId, now }
  const { actions: performed, events, lead: after } = yield* performActions(target, decision.wanted)
  const moved = yield* storeLead(lead, after, rule, now)
  yield* recordEvents([...events, ...moved], now)
  const actions = yield* performSequenceActions(target, decision.wanted, performed)
  yield* replace({ ...decided, state: "ran", actions })
})

/** Runs the rule of a claimed run. The effects of its actions and the end of the run are one unit of work. */
export const runTrigger = Effect.fnUntraced(function* (claimed: TriggerRun) {
  const now = yield* Clock.currentTimeMillis
  const due = yield* readDue(claimed, now)
  const decision = "until" in due ? null : yield* decide(due, now)
  const ended = Effect.provideService(end(claimed, decision), ChangesAreCauses, false)
  yield* (yield* Transactions).atomically(claimed.tenantId, ended)
}, withSpan("runTrigger"))

/** The queue of due trigger runs. */
export const triggerQueue: Queue<TriggerRun, TriggerRuns | Effect.Services<ReturnType<typeof runTrigger>>> = {
  ...defaults,
  name: "triggers",
  workers: 1,
  failure: "failed to run a rule for its trigger",
  about: ({ attempts, tenantId }) => ({ tenant: tenantId, attempts }),
  open: Effect.map(TriggerRuns, ({ claim, wait }) => ({
    claim: (limit, now) => claim(limit, now, now + sendLeaseMillis),
    run: (run) => Effect.as(runTrigger(run), null),
    wait
  }))
}

/** Claims due runs and ends them once. Returns the number of these runs. */
export const workDueTriggers = () => workOnce(triggerQueue)
