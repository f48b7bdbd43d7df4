import { Context, Effect } from "effect"
import { reactsTo } from "../../domain/rule/ReactsTo.ts"
import type { Change } from "../../domain/webhook/Change.ts"
import { type ChangeTrigger, isAnswerTrigger } from "../../domain/rule/Trigger.ts"
import { dateKeyOf, dueKeyOf, triggerTime } from "../../domain/run/TriggerRun.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { type Cause, queuedRules, storeCause } from "./StoreCause.ts"

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
  if (type === "date_reached") return { ...cause, key: dateKeyOf(contactId, field, String(to)) }
  return { ...cause, key: task === null ? null : dueKeyOf(task.taskId, task.dueAt) }
}

/**
 * Stores changes as causes of the enabled rules that react to them. A date that has passed for more than a day is no
 * cause. Runs inside the unit of work of the changes. Reads nothing but the tenant, which is in memory.
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
  for (const each of queuedRules(tenant.config.rules)) {
    const { trigger } = each
    if (isAnswerTrigger(trigger)) continue
    for (const change of changes) {
      if (!reactsTo(trigger, change)) continue
      const cause = causeOfChange(tenantId, trigger, change, now)
      const runAt = triggerTime(trigger, cause, tenant.config.timeZone)
      if (trigger.type === "date_reached" && runAt < now - dayMillis) continue
      yield* storeCause(each, cause, runAt, now)
    }
  }
})
