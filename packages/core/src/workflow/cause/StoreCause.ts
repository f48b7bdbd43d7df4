/**
 * Stores the causes of rules as trigger runs: messages that wait for an answer, and changes. `workflow/trigger` runs them
 * when they are due. Tests: `packages/testkit/src/suite/pipeline/TriggerSuite.ts` and `ChangeSuite.ts`.
 */
import { Effect } from "effect"
import { isEnabled, type Rule } from "../../domain/rule/Rule.ts"
import { type QueuedTrigger, queuedTriggerOf } from "../../domain/rule/Trigger.ts"
import type { TriggerRun } from "../../domain/run/TriggerRun.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import { Ids } from "../../port/system/Ids.ts"

/** An enabled rule that runs as trigger runs. */
export interface QueuedRule {
  readonly rule: Rule
  readonly trigger: QueuedTrigger
}

/** Returns the enabled rules that run as trigger runs. */
export const queuedRules = (rules: ReadonlyArray<Rule>): ReadonlyArray<QueuedRule> =>
  rules.flatMap((rule) => {
    const trigger = isEnabled(rule) ? queuedTriggerOf(rule) : null
    return trigger === null ? [] : [{ rule, trigger }]
  })

/** A cause of rules. */
export interface Cause extends Pick<
  TriggerRun,
  "tenantId" | "contactId" | "leadId" | "messageId" | "taskId" | "change" | "causeAt"
> {
  /** FROZEN, because keys are stored. Identifies the cause within the rule. Null: the cause is unlike every other one. */
  readonly key: string | null
}

/**
 * Stores the run of a rule for a cause, and returns it. A rule has one run for each cause: if it exists, nothing is
 * stored. Runs inside the unit of work that stores the cause.
 */
export const storeCause = Effect.fnUntraced(function* (
  { rule, trigger }: QueuedRule,
  { key, ...cause }: Cause,
  runAt: number,
  now: number
) {
  const triggerRunId = yield* (yield* Ids).next("trg")
  const run: TriggerRun = {
    ...cause,
    triggerRunId,
    ruleId: rule.id,
    ruleName: rule.name,
    trigger: trigger.type,
    cause: key ?? triggerRunId,
    runAt,
    state: "waiting",
    reason: null,
    actions: [],
    configVersion: null,
    attempts: 0,
    defects: 0,
    dueAt: runAt,
    createdAt: now,
    updatedAt: now
  }
  yield* (yield* TriggerRuns).insert(run)
  return run
})
