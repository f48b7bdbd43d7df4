import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import type { TriggerRun } from "@leadloom/core/internal/domain/run/TriggerRun"
import { TriggerRuns } from "@leadloom/core/internal/port/repository/pipeline/TriggerRuns"
import { Enrolments } from "@leadloom/core/internal/port/repository/sequence/Enrolments"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { workDueEnrolments } from "@leadloom/core/internal/workflow/sequence/RunStep"
import type { RuleSimulation } from "@leadloom/core/internal/workflow/simulation/SimulateRule"
import { simulateRule } from "@leadloom/core/internal/workflow/simulation/SimulateRule"
import { Ids } from "@leadloom/core/internal/port/system/Ids"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { workDueTriggers } from "@leadloom/core/internal/workflow/trigger/RunTrigger"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { drainJobs, drainSends } from "../Scene.ts"
import { onePage } from "./PastWorld.ts"

/**
 * Ids with the time of the test clock, as servers have them: simulations read records in the order of their ids. `seed`
 * distinguishes the ids of worlds whose clocks begin at the same time.
 */
export const timedIds = (seed = 0) => Ids.layer((length) => new Uint8Array(length).fill(seed % 250))

/** A simulation of a stored rule in the default period. */
export const ruleSimulation = (changes: Partial<RuleSimulation>): RuleSimulation => ({
  ruleId: null,
  rule: null,
  since: null,
  until: null,
  limit: 1_000,
  ...changes
})

/** Saves the rules of a tenant. */
export const saveRules = Effect.fnUntraced(function* (tenantId: string, ...rules: ReadonlyArray<Rule>) {
  const { config } = yield* (yield* Tenants).get(tenantId)
  yield* saveConfig(tenantId, { ...config, rules })
})

/** Simulates a rule, and returns all causes. */
export const simulate = (tenantId: string, changes: Partial<RuleSimulation>) =>
  simulateRule(tenantId, ruleSimulation(changes), onePage)

const everyRun = { ruleId: null, contactId: null }
const active = { sequenceId: null, contactId: null, state: "active" } as const

/** Returns the time of the next run of a rule or step of a sequence; null if none is planned. */
const nextAt = Effect.fnUntraced(function* (tenantId: string, schedule: () => number | null) {
  const runs = yield* (yield* TriggerRuns).page(tenantId, everyRun, 1_000, null)
  const enrolments = yield* (yield* Enrolments).page(tenantId, active, 1_000, null)
  const waiting = runs.filter(({ state }) => state === "waiting")
  const firing = schedule()
  const times = [...waiting, ...enrolments].map(({ dueAt }) => dueAt)
  return times.length === 0 && firing === null ? null : Math.min(...times, firing ?? Infinity)
})

/** Does everything that is due now, in the order of a server without other work. */
const work = Effect.gen(function* () {
  let done = 1
  while (done > 0) {
    yield* drainJobs
    done = (yield* workDueTriggers()) + (yield* workDueEnrolments())
    yield* drainSends
  }
})

/** Lets time pass. Every rule and step runs exactly when it is due. `schedule` returns the next firing after now. */
export const passRules = Effect.fnUntraced(function* (
  tenantId: string,
  millis: number,
  nextFiring: (now: number) => number | null = () => null
) {
  const end = (yield* Clock.currentTimeMillis) + millis
  yield* work
  for (;;) {
    const now = yield* Clock.currentTimeMillis
    const due = yield* nextAt(tenantId, () => nextFiring(now))
    if (due === null || due > end) break
    yield* TestClock.setTime(Math.max(due, now))
    yield* work
  }
  yield* TestClock.setTime(end)
})

const newId = /\b(?:note|task|enr|call)_[0-9a-z]+/gu

/** Returns the stored JSON of a run without the ids of the run and of the records that its actions created. */
export const storedJson = (run: TriggerRun | null): string => {
  if (run === null) return "none"
  const { actions, causeAt, change, configVersion, contactId, leadId, messageId, reason, ruleId, ruleName, runAt } = run
  const starts = ["start_sequence", "send_template"]
  return JSON.stringify({
    ruleId,
    ruleName,
    trigger: run.trigger,
    contactId,
    leadId,
    messageId,
    taskId: run.taskId,
    // A due time that was set again has another former value.
    change: change === null || run.trigger === "task_due" ? null : change,
    causeAt,
    runAt,
    state: run.state,
    reason,
    configVersion,
    updatedAt: run.state === "waiting" ? null : run.updatedAt,
    actions: actions.map(({ reason: why, ...action }) =>
      starts.includes(action.type) ? action : { ...action, reason: why.replaceAll(newId, "") }
    )
  })
}
