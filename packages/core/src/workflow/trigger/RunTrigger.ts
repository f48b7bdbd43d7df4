/**
 * Runs rules with another trigger than messages when they are due, and lists these runs. Their causes are stored by
 * `workflow/cause`. Rules that react to messages belong to `workflow/pipeline`. Tests:
 * `packages/testkit/src/suite/pipeline/TriggerSuite.ts` and `ChangeSuite.ts`,
 * `packages/server/test/mail/TriggerCrash.test.ts`.
 */
import { Clock, Effect } from "effect"
import type { Lead } from "../../domain/lead/Lead.ts"
import type { Rule } from "../../domain/rule/Rule.ts"
import type { TriggerRun } from "../../domain/run/TriggerRun.ts"
import { sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { ChangesAreCauses } from "../cause/StoreChanges.ts"
import { performActions, reportLeadChange } from "../action/PerformActions.ts"
import { performSequenceActions } from "../action/SequenceActions.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"
import { withSpan } from "../WithSpan.ts"
import { onDefect } from "../worker/OnDefect.ts"
import { type Decision, decidedRun, decideRun, inputsOf, notNow, targetOf } from "./DecideTrigger.ts"
import { readDue } from "./ReadDue.ts"
import { recordRunDefect } from "./RecordRunDefect.ts"
import { stillWaiting } from "./StillWaiting.ts"

/** Stores the lead if the actions changed it. Returns the outbound events about it. */
const storeLead = Effect.fnUntraced(function* (before: Lead | null, after: Lead | null, { name }: Rule, now: number) {
  if (before === null || after === null || before === after) return []
  const changed = { ...after, updatedAt: now }
  yield* (yield* Leads).update(changed, before)
  return yield* reportLeadChange(before, changed, { actor: "system", reason: `the rule ${name}` }, now)
})

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
  if ("until" in due) return yield* replace(notNow(run, due, now))
  // A fact has changed since the decision, so the run is claimed again immediately.
  if (decision === null || decision.inputs !== inputsOf(due)) return yield* replace({ ...run, dueAt: now })
  if (!decision.isMatched) return yield* replace(decidedRun(run, due, decision, [], now))
  const { lead, rule } = due
  const target = targetOf(run, due, now)
  const { actions: performed, events, lead: after } = yield* performActions(target, decision.wanted)
  const moved = yield* storeLead(lead, after, rule, now)
  yield* recordEvents([...events, ...moved], now)
  const actions = yield* performSequenceActions(target, decision.wanted, performed)
  yield* replace(decidedRun(run, due, decision, actions, now))
})

const attempt = Effect.fnUntraced(function* (claimed: TriggerRun) {
  const now = yield* Clock.currentTimeMillis
  const due = yield* readDue(claimed, now)
  const decision = "until" in due ? null : yield* decideRun(due, now)
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
