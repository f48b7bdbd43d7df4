import { Clock, Effect } from "effect"
import { type PageRequest, readShortList } from "../../domain/conversation/ReadPage.ts"
import type { Rule } from "../../domain/rule/Rule.ts"
import { findRule, RuleNotFound } from "../../domain/rule/RuleList.ts"
import { type QueuedTrigger, queuedTriggerOf } from "../../domain/rule/Trigger.ts"
import type { TriggerRun } from "../../domain/run/TriggerRun.ts"
import type { Enrolment } from "../../domain/sequence/Enrolment.ts"
import { outcomeText, type RunTotals, runTotals, runUntil } from "../../domain/simulation/CompareRuns.ts"
import { notesOf } from "../../domain/simulation/RuleNotes.ts"
import { type Period, periodOf, SimulationInvalid } from "../../domain/simulation/Simulation.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"
import { makeAsOf } from "./AsOf.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"
import { withProposedRule } from "./ProposedRule.ts"
import type { CauseScope } from "./CauseScope.ts"
import { findCauses } from "./RuleCauses.ts"
import { runCauses, type SimulatedCause } from "./RunCauses.ts"
import { type StartedAction, runStarts, startKey } from "./RunStarts.ts"

/** A request to simulate a rule with a trigger. */
export interface RuleSimulation {
  /** A rule of the tenant; null: `rule` is simulated. */
  readonly ruleId: string | null
  /** A rule that is not saved. It replaces the one with its id. */
  readonly rule: Rule | null
  /** The period in epoch milliseconds. Null: see `periodOf`. */
  readonly since: number | null
  readonly until: number | null
  /** The maximum number of causes. */
  readonly limit: number
}

/** A cause with its simulated run and with the real one. */
export interface SimulatedRun {
  /** The cause, as a run that waits for it. */
  readonly cause: TriggerRun
  /** The time by which causes are ordered. */
  readonly at: number
  /** Null: the simulation ended earlier. */
  readonly simulated: TriggerRun | null
  /** The simulated enrolment of each action; null for other actions, and if the contact would not have entered. */
  readonly enrolments: ReadonlyArray<Enrolment | null>
  /** The real run; null: the rule had none for this cause. */
  readonly actual: TriggerRun | null
  readonly differs: boolean
}

export interface RuleSimulationResult {
  readonly period: Period
  readonly reached: number
  readonly rule: Rule
  readonly trigger: QueuedTrigger
  /** What the simulation cannot know. */
  readonly notes: ReadonlyArray<string>
  readonly more: boolean
  readonly simulated: RunTotals
  readonly actual: RunTotals
  readonly differing: number
  readonly items: ReadonlyArray<SimulatedRun>
  readonly nextCursor: string | null
}

/** Returns the rule to simulate, and the tenant with it. Fails unless it has a trigger with runs of its own. */
const ruleOf = Effect.fnUntraced(function* (tenant: Tenant, { rule: proposed, ruleId }: RuleSimulation) {
  const path = proposed === null ? "rule_id" : "rule"
  const fail = (message: string) => new SimulationInvalid({ issues: [{ path, message }] })
  if ((proposed === null) === (ruleId === null))
    return yield* fail("Send either a rule as `rule`, or the id of a stored rule as `rule_id`.")
  const found = proposed ?? findRule(tenant.config.rules, ruleId ?? "")?.rule ?? null
  if (found === null) return yield* new RuleNotFound({ ruleId: ruleId ?? "" })
  const rule: Rule = { ...found, enabled: true }
  const trigger = queuedTriggerOf(rule)
  if (trigger === null)
    return yield* fail("The rule reacts to messages. Use a back-test: POST /tenants/{tenant_id}/pipeline/backtest.")
  return { rule: { rule, trigger }, tenant: yield* withProposedRule(tenant, rule, path) }
})

/** Returns the simulated run with the outcomes of the sequences and messages that it starts. */
const withStarts = (run: TriggerRun, started: ReadonlyMap<string, StartedAction>) => {
  const found = run.actions.map((_, position) => started.get(startKey(run, position)) ?? null)
  return {
    run: { ...run, actions: run.actions.map((action, position) => ({ ...action, ...found[position]?.outcome })) },
    enrolments: found.map((each) => each?.enrolment ?? null)
  }
}

const itemOf = (
  { cause: { actual, at }, cause, run }: SimulatedCause,
  begun: TriggerRun,
  started: ReadonlyMap<string, StartedAction>,
  reached: number
): SimulatedRun => {
  const { enrolments, run: simulated } = run === null ? { run, enrolments: [] } : withStarts(run, started)
  const real = actual === null ? null : runUntil(actual, reached)
  const differs = simulated === null || real === null || outcomeText(simulated) !== outcomeText(real)
  return { cause: { ...begun, ...cause.cause }, at, simulated, enrolments, actual: real, differs }
}

const keyOf = ({ at, cause }: SimulatedRun): readonly [number, string] => [at, cause.triggerRunId]

/**
 * Simulates a rule with a trigger in a period of the past, next to what really happened. Contacts act as they really did,
 * and a simulated action changes nothing. Decides with the code of the engine. Stores and sends nothing, and counts no
 * use.
 */
export const simulateRule = Effect.fnUntraced(function* (
  tenantId: string,
  simulation: RuleSimulation,
  page: PageRequest
) {
  const { limit, ruleId } = simulation
  const stored = yield* (yield* Tenants).get(tenantId)
  const { rule, tenant } = yield* ruleOf(stored, simulation)
  const period = periodOf(simulation, yield* Clock.currentTimeMillis)
  if (!("until" in period)) return yield* period
  const time: SimulatedTime = {
    tenantId,
    since: period.since,
    ruleName: rule.rule.name,
    sequence: null,
    replaced: new Set(),
    now: period.since,
    current: "",
    enrolments: new Map(),
    slots: []
  }
  const scope: CauseScope = { tenant, rule, period, limit, time, asOf: yield* makeAsOf(time) }
  const { causes, more } = yield* findCauses(scope)
  time.now = period.since
  const { begun, reached, results } = yield* runCauses(scope, causes)
  const started = yield* runStarts(scope, results, reached)
  const items = results.flatMap((result, index) => {
    const run = begun[index]
    return run === undefined ? [] : [itemOf(result, run, started, reached)]
  })
  const filters = { ruleId, since: period.since, until: period.until, limit }
  const shown = yield* readShortList(
    { scope: { tenantId, list: "rule_simulation", filters }, items, keyOf },
    { limit: page.limit, ...(page.cursor !== null && { cursor: page.cursor }) }
  )
  const found: RuleSimulationResult = {
    period,
    reached,
    ...rule,
    notes: notesOf(rule.rule, rule.trigger),
    more,
    simulated: runTotals(items.flatMap((item) => item.simulated ?? [])),
    actual: runTotals(items.flatMap((item) => item.actual ?? [])),
    differing: items.filter(({ differs }) => differs).length,
    ...shown
  }
  return found
}, withSpan("simulateRule"))
