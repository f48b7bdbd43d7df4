import { Context, Effect } from "effect"
import type { Change } from "../../domain/webhook/Change.ts"
import { causesOfChanges, type QueuedRule, queuedRules } from "../../domain/run/Cause.ts"
import { stageChange } from "../../domain/lead/LeadChange.ts"
import { placeOf, withDefaultPipeline } from "../../domain/lead/SalesPipeline.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { SalesPipelines } from "../../port/repository/lead/SalesPipelines.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { recordValueChanges } from "../contact/RecordActivity.ts"
import { storeCause } from "./StoreCause.ts"

/**
 * Whether changes are causes of rules. False for changes by the rules that react to changes, so that two such rules
 * cannot cause each other without end.
 */
export const ChangesAreCauses = Context.Reference<boolean>("core/cause/ChangesAreCauses", { defaultValue: () => true })

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
 * Stores changes as causes of the enabled rules that react to them, and records those of tags and custom fields in the
 * timeline. Runs inside the unit of work of the changes. Reads the tenant, which is in memory, and the stages of new
 * leads.
 */
export const storeChanges = Effect.fnUntraced(function* (
  tenantId: string,
  changes: ReadonlyArray<Change>,
  now: number
) {
  if (changes.length === 0) return
  const isCause = yield* ChangesAreCauses
  yield* recordValueChanges(tenantId, changes, isCause, now)
  if (!isCause) return
  const find = (yield* Tenants).get(tenantId)
  const tenant = yield* find.pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  if (tenant === null) return
  const rules = queuedRules(tenant.config.rules)
  const all = yield* withFirstStages(tenantId, rules, changes)
  for (const each of rules)
    for (const { cause, runAt } of causesOfChanges(each, tenantId, tenant.config.timeZone, all, now))
      yield* storeCause(each, cause, runAt, now)
})
