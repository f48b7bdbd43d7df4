import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { LeadId } from "../../domain/Id.ts"
import { done, type JobOutcome, type QueuedJob } from "../../domain/job/Job.ts"
import type { LeadQuery } from "../../domain/lead/LeadQuery.ts"
import { isEnabled } from "../../domain/rule/Rule.ts"
import { type DatesJob, datesPerPiece, type LeadDatesJob } from "../../domain/rule/RuleJob.ts"
import { fieldOfTrigger } from "../../domain/rule/UsedFacts.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { Change } from "../../domain/webhook/Change.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { causesOfChanges, type QueuedRule } from "../../domain/run/Cause.ts"
import { storeCause } from "../cause/StoreCause.ts"
import { withSpan } from "../WithSpan.ts"
import { archivedMillis } from "./NotNow.ts"

/** Lists all leads, newest first. */
export const everyLead: LeadQuery = {
  state: null,
  tier: null,
  contactId: null,
  assignee: null,
  assigneeId: null,
  teamId: null,
  time: "createdAt",
  newestFirst: true,
  from: null,
  until: null
}

type AnyDatesJob = DatesJob | LeadDatesJob

/** Returns the rule of a job; null if it is disabled or waits for the dates of another field. */
const ruleOf = ({ config }: Tenant, { field, kind, ruleId }: AnyDatesJob): QueuedRule | null => {
  const rule = config.rules.find(({ id }) => id === ruleId)
  if (rule === undefined || !isEnabled(rule) || rule.trigger?.type !== "date_reached") return null
  const watched = fieldOfTrigger(rule)
  const entity = kind === "rule_lead_dates" ? "lead" : "contact"
  return watched?.key === field && watched.entity === entity ? { rule, trigger: rule.trigger } : null
}

/** A contact or a lead with dates. `leadId` is null for a contact. */
export interface Dated extends Pick<Contact, "contactId" | "customFields"> {
  readonly leadId: LeadId | null
}

/** Returns the stored value of a field as a change. */
export const dateChange = (field: string, { contactId, customFields, leadId }: Dated): Change => ({
  type: "field_changed",
  contactId,
  leadId,
  task: null,
  field,
  from: null,
  to: customFields[field] ?? null
})

/** Returns the run of a rule for the date of a record. Null without a date, and if its time has passed. */
const runOf = ({ config, tenantId }: Tenant, rule: QueuedRule, field: string, dated: Dated, now: number) => {
  const [planned = null] = causesOfChanges(rule, tenantId, config.timeZone, [dateChange(field, dated)], now)
  return planned !== null && planned.runAt > now ? planned : null
}

/** Reads the next records of a job, newest first, and the job behind them; null after the last one. */
const readDated = Effect.fnUntraced(function* (tenantId: string, job: AnyDatesJob) {
  if (job.kind === "rule_dates") {
    const contacts = yield* (yield* Contacts).page(tenantId, datesPerPiece, job.after)
    const last = contacts.at(-1)
    const next = last === undefined ? null : { ...job, after: { createdAt: last.createdAt, contactId: last.contactId } }
    return { dated: contacts.map((contact): Dated => ({ ...contact, leadId: null })), next }
  }
  const leads = yield* (yield* Leads).page(tenantId, everyLead, datesPerPiece, job.after)
  const last = leads.at(-1)
  const next = last === undefined ? null : { ...job, after: { at: last.createdAt, leadId: last.leadId } }
  return { dated: leads.map((lead): Dated => lead), next }
})

/**
 * Runs one step of the job: adds the runs for the future dates of some contacts or leads, newest first. A run that exists
 * stays, so a repeated step has no effect.
 */
export const runDates = Effect.fnUntraced(function* ({ job, tenantId }: QueuedJob<AnyDatesJob>) {
  const now = yield* Clock.currentTimeMillis
  const { atomically } = yield* Transactions
  const { get } = yield* Tenants
  // The records are read in the unit of work, so that no date changes between the read and the write.
  const step = Effect.gen(function* () {
    const tenant = yield* Effect.catchTag(get(tenantId), "TenantNotFound", () => Effect.succeed(null))
    const rule = tenant === null ? null : ruleOf(tenant, job)
    if (tenant === null) return "archived" as const
    if (rule === null) return null
    const { dated, next } = yield* readDated(tenantId, job)
    for (const each of dated) {
      const run = runOf(tenant, rule, job.field, each, now)
      if (run !== null) yield* storeCause(rule, run.cause, run.runAt, now)
    }
    return dated.length < datesPerPiece ? null : next
  })
  const after = yield* atomically(tenantId, step)
  if (after === null) return done
  if (after === "archived")
    return { _tag: "Later", dueAt: now + archivedMillis, job, reason: "the tenant is archived" } satisfies JobOutcome
  return { _tag: "Later", dueAt: now, job: after, reason: null } satisfies JobOutcome
}, withSpan("runDates"))
