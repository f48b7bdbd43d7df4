import { Context, Effect } from "effect"
import { reactsTo } from "../../domain/rule/ReactsTo.ts"
import type { Change } from "../../domain/webhook/Change.ts"
import { isAnswerTrigger } from "../../domain/rule/Trigger.ts"
import { changeKeyOf, dueKeyOf } from "../../domain/run/TriggerRun.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { queuedRules, storeCause } from "./StoreCause.ts"

/**
 * Whether changes are causes of rules. False for changes by the rules that react to changes, so that two such rules
 * cannot cause each other without end.
 */
export const ChangesAreCauses = Context.Reference<boolean>("core/cause/ChangesAreCauses", { defaultValue: () => true })

/**
 * Stores changes as causes of the enabled rules that react to them. Runs inside the unit of work of the changes. Reads
 * nothing but the tenant, which is in memory.
 */
export const storeChanges = Effect.fnUntraced(function* (
  tenantId: string,
  changes: ReadonlyArray<Change>,
  now: number
) {
  if (changes.length === 0 || !(yield* ChangesAreCauses)) return
  const find = (yield* Tenants).get(tenantId)
  const tenant = yield* find.pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  for (const each of queuedRules(tenant?.config.rules ?? [])) {
    const { trigger } = each
    if (isAnswerTrigger(trigger)) continue
    for (const change of changes) {
      if (!reactsTo(trigger, change)) continue
      const { contactId, field, from, leadId, task, to } = change
      const about = { tenantId, contactId, leadId, messageId: null, taskId: task?.taskId ?? null }
      const cause = { ...about, change: { field, from, to }, causeAt: task?.dueAt ?? now }
      const keyOf = (id: string) => (task === null ? changeKeyOf(id) : dueKeyOf(task.taskId, task.dueAt))
      yield* storeCause(each, cause, keyOf, now)
    }
  }
})
