import { Effect } from "effect"
import { atFiring, type DatesJob, datesJobId, type LeadDatesJob, scheduleJobId } from "../../domain/rule/RuleJob.ts"
import { fieldFactOf, type FieldReference } from "../../domain/rule/RecordFact.ts"
import { fieldOfTrigger } from "../../domain/rule/UsedFacts.ts"
import type { TenantConfig } from "../../domain/tenant/TenantConfig.ts"
import { nextFiring } from "../../domain/time/CronSchedule.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { type QueuedRule, queuedRules } from "../../domain/run/Cause.ts"

/** Queues the next firing of a rule with a schedule. A firing that is already queued stays. */
const queueSchedule = Effect.fnUntraced(function* (
  tenantId: string,
  { rule, trigger }: QueuedRule,
  timeZone: string,
  now: number
) {
  if (trigger.type !== "schedule") return
  const schedule = { ruleId: rule.id, cron: trigger.cron, timeZone }
  const firingAt = nextFiring(trigger.cron, timeZone, now)
  if (firingAt === null) return
  const queued = { tenantId, jobId: scheduleJobId(schedule), dueAt: firingAt, createdAt: now }
  // A worker that has just read the former configuration must not end the job.
  yield* (yield* Jobs).renew({ ...queued, job: atFiring(schedule, firingAt) })
})

/** Returns the field whose dates a rule waits for; null for other rules. */
const fieldOf = ({ rule, trigger }: QueuedRule): FieldReference | null =>
  trigger.type === "date_reached" ? fieldOfTrigger(rule) : null

/** Queues the search for dates that were stored before the rule. */
const queueDates = Effect.fnUntraced(function* (tenantId: string, ruleId: string, field: FieldReference, now: number) {
  const kind = field.entity === "lead" ? "rule_lead_dates" : "rule_dates"
  const job: DatesJob | LeadDatesJob = { kind, ruleId, field: field.key, after: null }
  yield* (yield* Jobs).renew({ tenantId, jobId: datesJobId(job), dueAt: now, createdAt: now, job })
})

/**
 * Queues the jobs of the enabled rules of a new configuration: firings of schedules, and the search for stored dates if
 * `before` has no such rule. Runs inside the unit of work that stores the configuration.
 */
export const queueRuleJobs = Effect.fnUntraced(function* (
  tenantId: string,
  before: TenantConfig | null,
  after: TenantConfig,
  now: number
) {
  const nameOf = (field: FieldReference | null) => (field === null ? null : fieldFactOf(field))
  const known = new Map(queuedRules(before?.rules ?? []).map((each) => [each.rule.id, nameOf(fieldOf(each))]))
  for (const each of queuedRules(after.rules)) {
    yield* queueSchedule(tenantId, each, after.timeZone, now)
    const field = fieldOf(each)
    if (field !== null && known.get(each.rule.id) !== nameOf(field))
      yield* queueDates(tenantId, each.rule.id, field, now)
  }
})
