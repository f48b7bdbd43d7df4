import { Context, Effect } from "effect"
import { reactsTo } from "../../domain/rule/ReactsTo.ts"
import type { Change } from "../../domain/webhook/Change.ts"
import { type ChangeTrigger, isChangeTrigger } from "../../domain/rule/Trigger.ts"
import { dateKeyOf, dueKeyOf, leadDateKeyOf, triggerTime } from "../../domain/run/TriggerRun.ts"
import { stageChange } from "../../domain/lead/LeadChange.ts"
import { placeOf, withDefaultPipeline } from "../../domain/lead/SalesPipeline.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { SalesPipelines } from "../../port/repository/lead/SalesPipelines.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { type Cause, type QueuedRule, queuedRules, storeCause } from "./StoreCause.ts"

/**
 * Whether changes are causes of rules. False for changes by the rules that react to changes, so that two such rules
 * cannot cause each other without end.
 */
export const ChangesAreCauses = Context.Reference<boolean>("core/cause/ChangesAreCauses", { defaultValue: () => true })

const dayMillis = 86_400_000

/** Returns a change as the cause of rules with a trigger. */
const causeOfChange = (
  tenantId: string,
  { type }: ChangeTrigger,
  { contactId, field, from, leadId, task, to }: Change,
  now: number
): Cause => {
  const about = { tenantId, contactId, leadId, messageId: null, taskId: task?.taskId ?? null }
  const cause = { ...about, change: { field, from, to }, causeAt: task?.dueAt ?? now }
  if (type === "date_reached") {
    const date = String(to)
    return { ...cause, key: leadId === null ? dateKeyOf(contactId, field, date) : leadDateKeyOf(leadId, field, date) }
  }
  return { ...cause, key: task === null ? null : dueKeyOf(task.taskId, task.dueAt) }
}

/**
 * Returns the changes with the first stages of new leads. Reads leads and pipelines only if a rule reacts to stages and a
 * lead is new, because the first stage is not stored.
 */
const withFirstStages = Effect.fnUntraced(function* (
  tenantId: string,
  rules: ReadonlyArray<QueuedRule>,
  changes: ReadonlyArray<Change>
) {
  const isNeeded = rules.some(({ trigger }) => trigger.type === "lead_stage_changed")
  const begun = changes.filter(({ from, type }) => isNeeded && type === "lead_state_changed" && from === null)
  if (begun.length === 0) return changes
  const pipelines = withDefaultPipeline(tenantId, yield* (yield* SalesPipelines).list(tenantId))
  const { get } = yield* Leads
  const all = [...changes]
  for (const { leadId } of begun) {
    const find = leadId === null ? Effect.succeed(null) : get(tenantId, leadId)
    const lead = yield* Effect.catchTag(find, "LeadNotFound", () => Effect.succeed(null))
    if (lead !== null) all.push(stageChange(lead, null, placeOf(pipelines, lead).stage.stageId))
  }
  return all
})

/**
 * Stores changes as causes of the enabled rules that react to them. A date that has passed for more than a day is no
 * cause. Runs inside the unit of work of the changes. Reads the tenant, which is in memory, and the stages of new leads.
 */
export const storeChanges = Effect.fnUntraced(function* (
  tenantId: string,
  changes: ReadonlyArray<Change>,
  now: number
) {
  if (changes.length === 0 || !(yield* ChangesAreCauses)) return
  const find = (yield* Tenants).get(tenantId)
  const tenant = yield* find.pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  if (tenant === null) return
  const rules = queuedRules(tenant.config.rules)
  const all = yield* withFirstStages(tenantId, rules, changes)
  for (const each of rules) {
    const { trigger } = each
    if (!isChangeTrigger(trigger)) continue
    for (const change of all) {
      if (!reactsTo(trigger, change)) continue
      const cause = causeOfChange(tenantId, trigger, change, now)
      const runAt = triggerTime(trigger, cause, tenant.config.timeZone)
      if (trigger.type === "date_reached" && runAt < now - dayMillis) continue
      yield* storeCause(each, cause, runAt, now)
    }
  }
})
