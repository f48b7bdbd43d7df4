import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { done, type JobOutcome, type QueuedJob } from "../../domain/job/Job.ts"
import { isEnabled } from "../../domain/rule/Rule.ts"
import { type DatesJob, datesPerPiece } from "../../domain/rule/RuleJob.ts"
import { dateKeyOf, triggerTime } from "../../domain/run/TriggerRun.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { isDate } from "../../domain/time/WallClock.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type QueuedRule, storeCause } from "../cause/StoreCause.ts"
import { withSpan } from "../WithSpan.ts"
import { archivedMillis } from "./NotNow.ts"

/** Returns the rule of a job; null if it is disabled or waits for the dates of another field. */
const ruleOf = ({ config }: Tenant, { field, ruleId }: DatesJob): QueuedRule | null => {
  const rule = config.rules.find(({ id }) => id === ruleId)
  if (rule === undefined || !isEnabled(rule) || rule.trigger?.type !== "date_reached") return null
  return rule.trigger.field === field ? { rule, trigger: rule.trigger } : null
}

/** Returns the run of a rule for the date of a contact. Null without a date, and if its time has passed. */
const runOf = ({ config, tenantId }: Tenant, { trigger }: QueuedRule, field: string, contact: Contact, now: number) => {
  const { contactId, customFields } = contact
  const to = customFields[field]
  if (typeof to !== "string" || !isDate(to)) return null
  const about = { tenantId, contactId, leadId: null, messageId: null, taskId: null }
  const cause = { ...about, change: { field, from: null, to }, causeAt: now, key: dateKeyOf(contactId, field, to) }
  const runAt = triggerTime(trigger, cause, config.timeZone)
  return runAt > now ? { cause, runAt } : null
}

/**
 * Runs one step of the job: adds the runs for the future dates of some contacts, newest contact first. A run that exists
 * stays, so a repeated step has no effect.
 */
export const runDates = Effect.fnUntraced(function* ({ job, tenantId }: QueuedJob<DatesJob>) {
  const now = yield* Clock.currentTimeMillis
  const { page } = yield* Contacts
  const { atomically } = yield* Transactions
  const { get } = yield* Tenants
  // The contacts are read in the unit of work, so that no date changes between the read and the write.
  const step = Effect.gen(function* () {
    const tenant = yield* Effect.catchTag(get(tenantId), "TenantNotFound", () => Effect.succeed(null))
    const rule = tenant === null ? null : ruleOf(tenant, job)
    if (tenant === null) return "archived" as const
    if (rule === null) return null
    const contacts = yield* page(tenantId, datesPerPiece, job.after)
    for (const contact of contacts) {
      const run = runOf(tenant, rule, job.field, contact, now)
      if (run !== null) yield* storeCause(rule, run.cause, run.runAt, now)
    }
    const last = contacts.at(-1)
    return last === undefined || contacts.length < datesPerPiece
      ? null
      : { createdAt: last.createdAt, contactId: last.contactId }
  })
  const after = yield* atomically(tenantId, step)
  if (after === null) return done
  if (after === "archived")
    return { _tag: "Later", dueAt: now + archivedMillis, job, reason: "the tenant is archived" } satisfies JobOutcome
  return { _tag: "Later", dueAt: now, job: { ...job, after }, reason: null } satisfies JobOutcome
}, withSpan("runDates"))
