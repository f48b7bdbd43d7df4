/**
 * Finds the causes that a rule with a trigger would have had in a period of the past: from stored messages, timelines,
 * tasks, links and schedules, and from the real runs of the rule. The causes are built with the functions that store them
 * (`domain/run/Cause.ts`).
 */
import { Effect } from "effect"
import { isChangeTrigger, type QueuedTrigger } from "../../domain/rule/Trigger.ts"
import { isLinkTrigger } from "../../domain/link/LinkTrigger.ts"
import type { PlannedCause } from "../../domain/run/Cause.ts"
import { type TriggerRun, triggerTime } from "../../domain/run/TriggerRun.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import type { CauseScope, FoundCauses } from "./CauseScope.ts"
import { fromAnswers, fromLinks, fromSchedule } from "./CausesOfEvents.ts"
import { fromDates, fromFields, fromScores, fromStages, fromStates, fromTasks } from "./CausesOfChanges.ts"

/** A cause, when it happened, and the real run of the rule for it. */
export interface PastCause extends PlannedCause {
  readonly at: number
  readonly actual: TriggerRun | null
}

/** Causes in the order of time. */
export interface CauseList {
  readonly causes: ReadonlyArray<PastCause>
  /** Whether the period has more causes than the limit, or more records than a simulation examines. */
  readonly more: boolean
}

const nothing: FoundCauses = { found: [], more: false }

const fromRecords = (scope: CauseScope, trigger: QueuedTrigger) => {
  if (trigger.type === "no_answer" || trigger.type === "unanswered") return fromAnswers(scope, trigger.type)
  if (isLinkTrigger(trigger)) return fromLinks(scope)
  switch (trigger.type) {
    case "schedule":
      return fromSchedule(scope, trigger)
    case "manual":
      return Effect.succeed(nothing)
    case "lead_state_changed":
      return fromStates(scope)
    case "lead_stage_changed":
      return fromStages(scope)
    case "score_reached":
      return fromScores(scope)
    case "tag_added":
    case "tag_removed":
    case "field_changed":
      return fromFields(scope, trigger.type)
    case "date_reached":
      return fromDates(scope)
    case "task_due":
      return fromTasks(scope)
  }
}

/** A firing and a date belong to the period of their time. Other causes belong to the period in which they happened. */
const timeOf = ({ causeAt, runAt, trigger }: Pick<TriggerRun, "causeAt" | "runAt" | "trigger">): number =>
  trigger === "date_reached" ? runAt : causeAt

const runsPerPage = 500

/** The maximum number of real runs that are read. */
const maxRuns = 5_000

/** Reads the real runs of the rule for causes of the period. */
const readRuns = Effect.fnUntraced(function* ({ period, rule, tenant }: CauseScope) {
  const { page } = yield* TriggerRuns
  const filter = { ruleId: rule.rule.id, contactId: null }
  const found: Array<TriggerRun> = []
  let before: string | null = null
  for (let read = 0; read < maxRuns; read += runsPerPage) {
    const runs: ReadonlyArray<TriggerRun> = yield* page(tenant.tenantId, filter, runsPerPage, before)
    for (const run of runs) {
      const at = timeOf(run)
      if (run.trigger === rule.trigger.type && at >= period.since && at < period.until) found.push(run)
    }
    before = runs.at(-1)?.triggerRunId ?? null
    if (runs.length < runsPerPage) break
  }
  return found
})

const ofLead = (trigger: QueuedTrigger): boolean =>
  isChangeTrigger(trigger) &&
  (trigger.type.startsWith("lead_") ||
    trigger.type === "score_reached" ||
    ("entity" in trigger && trigger.entity === "lead"))

/** Returns the cause of a real run. The lead of a run is that of its cause, or the one of the conversation. */
const causeOfRun = (
  { rule: { trigger }, tenant }: CauseScope,
  run: TriggerRun
): PlannedCause & { readonly at: number } => {
  const { causeAt, cause: key, change, contactId, leadId, messageId, taskId, tenantId, triggerRunId } = run
  const about = { tenantId, contactId, messageId, taskId, change, causeAt }
  const cause = {
    ...about,
    leadId: ofLead(trigger) ? leadId : null,
    key: key === triggerRunId ? null : key
  }
  const runAt = triggerTime(trigger, cause, tenant.config.timeZone)
  return { cause, runAt, at: timeOf({ causeAt, runAt, trigger: trigger.type }) }
}

/** Identifies a cause within the rule. Changes have no stored key, and differ in their contact, time or values. */
const identityOf = ({ cause }: PlannedCause): string => {
  const { causeAt, change, contactId, key, leadId } = cause
  return key ?? JSON.stringify([contactId, leadId, causeAt, change])
}

/** Finds the causes of a rule in the period, oldest first, at most `limit`. */
export const findCauses = Effect.fnUntraced(function* (scope: CauseScope) {
  const { limit, rule } = scope
  const { found, more } = yield* fromRecords(scope, rule.trigger)
  const causes = new Map<string, PastCause>()
  for (const each of found) if (!causes.has(identityOf(each))) causes.set(identityOf(each), { ...each, actual: null })
  for (const run of yield* readRuns(scope)) {
    const each = causeOfRun(scope, run)
    const identity = identityOf(each)
    causes.set(identity, { ...(causes.get(identity) ?? each), actual: run })
  }
  const sorted = [...causes.values()].toSorted(
    (one, other) => one.at - other.at || (identityOf(one) < identityOf(other) ? -1 : 1)
  )
  return { causes: sorted.slice(0, limit), more: more || sorted.length > limit } satisfies CauseList as CauseList
})
