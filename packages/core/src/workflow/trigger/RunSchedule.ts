/**
 * Fires the schedules of rules: adds a trigger run for each contact that meets the condition. Tests:
 * `packages/testkit/src/suite/pipeline/ScheduleSuite.ts`, `packages/core/test/domain/time/CronSchedule.test.ts`.
 */
import { Clock, Effect } from "effect"
import { allContacts, type ContactFilter } from "../../domain/contact/ContactFilter.ts"
import type { ContactId } from "../../domain/Id.ts"
import { done, type JobOutcome, type QueuedJob } from "../../domain/job/Job.ts"
import { comparisonsOf } from "../../domain/rule/Condition.ts"
import { isEnabled, type Rule } from "../../domain/rule/Rule.ts"
import {
  atFiring,
  contactsPerPiece,
  maxPieces,
  maxScheduledContacts,
  type ScheduleJob
} from "../../domain/rule/RuleJob.ts"
import type { StartTrigger } from "../../domain/rule/Trigger.ts"
import { causeOfFiring } from "../../domain/run/Cause.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { minFiringMillis, nextFiring } from "../../domain/time/CronSchedule.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Segments } from "../../port/repository/contact/Segments.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { storeCause } from "../cause/StoreCause.ts"
import { collectContacts } from "../contact/ListEnriched.ts"
import { withSpan } from "../WithSpan.ts"
import { archivedMillis } from "./NotNow.ts"
import { evaluate, leadOf, readSubject } from "./ReadFacts.ts"

/** A rule that a job fires. */
export interface Fired {
  readonly tenant: Tenant
  readonly rule: Rule
  readonly trigger: Extract<StartTrigger, { readonly type: "schedule" }>
}

/** Returns the rule of a job; null if the rule is disabled or has another schedule. */
const ruleOf = (tenant: Tenant, { cron, ruleId, timeZone }: ScheduleJob): Fired | null => {
  const rule = tenant.config.rules.find(({ id }) => id === ruleId)
  if (rule === undefined || !isEnabled(rule) || rule.trigger?.type !== "schedule") return null
  const { trigger } = rule
  return trigger.cron === cron && tenant.config.timeZone === timeZone ? { tenant, rule, trigger } : null
}

/** Returns the filter of the contacts of a rule; null if its segment was deleted. */
export const filterOf = Effect.fnUntraced(function* ({ tenant, trigger }: Fired) {
  if (trigger.segment === undefined) return allContacts
  const segment = (yield* Segments).get(tenant.tenantId, trigger.segment)
  return yield* segment.pipe(
    Effect.map(({ filters }): ContactFilter => ({ ...filters, archived: false })),
    Effect.catchTag("SegmentNotFound", () => Effect.succeed(null))
  )
})

/** Returns whether a contact meets the condition of the rule now. The run evaluates the condition again. */
export const isMet = Effect.fnUntraced(function* ({ rule, tenant }: Fired, contactId: ContactId, now: number) {
  if (comparisonsOf(rule.when).length === 0) return true
  const find = (yield* Contacts).get(tenant.tenantId, contactId)
  const contact = yield* Effect.catchTag(find, "ContactNotFound", () => Effect.succeed(null))
  if (contact === null || contact.archivedAt !== null || contact.mergedInto !== null) return false
  const lead = yield* leadOf(tenant.tenantId, contactId)
  const { isMatched } = yield* evaluate(yield* readSubject({ tenant, rule, contact, lead }, now), now)
  return isMatched
})

/** Stores the runs of some contacts. Each contact has one run for a firing, so a repetition has no effect. */
const storeRuns = Effect.fnUntraced(function* (
  { rule, tenant, trigger }: Fired,
  contactIds: ReadonlyArray<ContactId>,
  firingAt: number,
  now: number
) {
  for (const contactId of contactIds)
    yield* storeCause({ rule, trigger }, causeOfFiring(tenant.tenantId, contactId, firingAt), firingAt, now)
})

/** Examines some contacts. Returns the job at the next ones; null at the end of the firing. */
const examine = Effect.fnUntraced(function* (fired: Fired, job: ScheduleJob, now: number) {
  const filter = yield* filterOf(fired)
  if (filter === null) return null
  const { tenantId } = fired.tenant
  const { found, next } = yield* collectContacts(tenantId, filter, job.after, contactsPerPiece)
  const met = yield* Effect.filter(found, ({ contactId }) => isMet(fired, contactId, now))
  const chosen = met.slice(0, maxScheduledContacts - job.runs).map(({ contactId }) => contactId)
  if (chosen.length > 0) yield* (yield* Transactions).atomically(tenantId, storeRuns(fired, chosen, job.firingAt, now))
  const [pieces, runs] = [job.pieces + 1, job.runs + chosen.length]
  if (next === null || pieces >= maxPieces || runs >= maxScheduledContacts) return null
  return { ...job, after: next, pieces, runs }
})

/**
 * Runs one step of the job of a schedule. The firings that a stopped server has missed are one firing. A crash repeats
 * the step, and the keys of the runs prevent a second run.
 */
export const runSchedule = Effect.fnUntraced(function* ({ job, tenantId }: QueuedJob<ScheduleJob>) {
  const now = yield* Clock.currentTimeMillis
  const later = (dueAt: number, continued: ScheduleJob): JobOutcome => ({
    _tag: "Later",
    dueAt,
    job: continued,
    reason: null
  })
  const find = (yield* Tenants).get(tenantId)
  const tenant = yield* Effect.catchTag(find, "TenantNotFound", () => Effect.succeed(null))
  if (tenant === null) return later(now + archivedMillis, job)
  const fired = ruleOf(tenant, job)
  if (fired === null) return done
  const continued = yield* examine(fired, job, now)
  if (continued !== null) return later(now, continued)
  const firingAt = nextFiring(job.cron, job.timeZone, Math.max(now, job.firingAt + minFiringMillis - 1))
  return firingAt === null ? done : later(firingAt, atFiring(job, firingAt))
}, withSpan("runSchedule"))
