/**
 * Runs rules with another trigger than messages when they are due, and lists these runs. Their causes are stored by
 * `workflow/cause`. Rules that react to messages belong to `workflow/pipeline`. Tests:
 * `packages/testkit/src/suite/pipeline/TriggerSuite.ts` and `ChangeSuite.ts`,
 * `packages/server/test/mail/TriggerCrash.test.ts`.
 */
import { Clock, Effect } from "effect"
import type { Lead } from "../../domain/lead/Lead.ts"
import type { RequestedAction, Rule } from "../../domain/rule/Rule.ts"
import type { TriggerRun } from "../../domain/run/TriggerRun.ts"
import { sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { ChangesAreCauses } from "../cause/StoreChanges.ts"
import { runBudgeted } from "../budget/RunBudgeted.ts"
import { performActions, reportLeadChange } from "../action/PerformActions.ts"
import { renderActions } from "../action/RenderActions.ts"
import { performSequenceActions } from "../action/SequenceActions.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"
import { withSpan } from "../WithSpan.ts"
import { onDefect } from "../worker/OnDefect.ts"
import { readDue } from "./ReadDue.ts"
import { evaluate, type RuleSubject } from "./ReadFacts.ts"
import { recordRunDefect } from "./RecordRunDefect.ts"
import { stillWaiting } from "./StillWaiting.ts"

/** The decision about a due run, and the facts on which it depends. */
interface Decision {
  readonly inputs: string
  readonly isMatched: boolean
  readonly reason: string
  readonly wanted: ReadonlyArray<RequestedAction>
}

/** Serialises everything on which a decision depends, except the time. */
const inputsOf = ({ contact, lead, recordFacts, rule, tenant }: RuleSubject): string => {
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
const decide = Effect.fnUntraced(function* (due: RuleSubject, now: number) {
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

/** Stores the lead if the actions changed it. Returns the outbound events about it. */
const storeLead = Effect.fnUntraced(function* (before: Lead | null, after: Lead | null, { name }: Rule, now: number) {
  if (before === null || after === null || before === after) return []
  const changed = { ...after, updatedAt: now }
  yield* (yield* Leads).update(changed, before)
  return yield* reportLeadChange(before, changed, { actor: "system", reason: `the rule ${name}` }, now)
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
    const later = until === null ? { state: "prevented" as const } : { runAt: until, dueAt: until, defects: 0 }
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
  const cause = { causeId, eventAt: eventAtOf(run), trigger: run.trigger }
  const target = { tenant, contact, lead, message: null, signalId: null, actor: "system" as const, ...cause, now }
  const { actions: performed, events, lead: after } = yield* performActions(target, decision.wanted)
  const moved = yield* storeLead(lead, after, rule, now)
  yield* recordEvents([...events, ...moved], now)
  const actions = yield* performSequenceActions(target, decision.wanted, performed)
  yield* replace({ ...decided, state: "ran", actions })
})

const attempt = Effect.fnUntraced(function* (claimed: TriggerRun) {
  const now = yield* Clock.currentTimeMillis
  const due = yield* readDue(claimed, now)
  const decision = "until" in due ? null : yield* decide(due, now)
  const ended = Effect.provideService(end(claimed, decision), ChangesAreCauses, false)
  yield* (yield* Transactions).atomically(claimed.tenantId, ended)
})

/**
 * Runs the rule of a claimed run. The effects of its actions and the end of the run are one unit of work. A defect delays
 * the run, and after `maxDefects` it ends the run.
 */
export const runTrigger = (claimed: TriggerRun) =>
  onDefect(attempt(claimed), (cause) => recordRunDefect(claimed, cause)).pipe(withSpan("runTrigger"))

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
