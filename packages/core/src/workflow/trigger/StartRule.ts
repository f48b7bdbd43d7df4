import { Clock, Effect } from "effect"
import { isEnabled } from "../../domain/rule/Rule.ts"
import { findRule, RuleNotFound } from "../../domain/rule/RuleList.ts"
import { queuedTriggerOf } from "../../domain/rule/Trigger.ts"
import { TaggedError } from "../../domain/TaggedError.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { storeCause } from "../cause/StoreCause.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { withSpan } from "../WithSpan.ts"

/** The rule cannot be started for the contact. */
export class RuleNotStartable extends TaggedError("RuleNotStartable")<{
  readonly ruleId: string
  readonly reason: string
}> {}

/**
 * Starts a rule with the trigger `manual` for a contact. A worker runs it immediately. Each call is another run. Fails
 * with `RuleNotFound`, `ContactNotFound` and `ContactMerged`, and with `RuleNotStartable` if the rule is disabled or has
 * another trigger, or the contact is archived.
 */
export const startRule = Effect.fnUntraced(function* (tenantId: string, ruleId: string, contactId: string) {
  const now = yield* Clock.currentTimeMillis
  const unit = Effect.gen(function* () {
    const { config } = yield* (yield* Tenants).get(tenantId)
    const rule = findRule(config.rules, ruleId)?.rule ?? null
    if (rule === null) return yield* new RuleNotFound({ ruleId })
    const trigger = queuedTriggerOf(rule)
    const refuse = (reason: string) => new RuleNotStartable({ ruleId, reason })
    if (trigger?.type !== "manual")
      return yield* refuse(
        `Its trigger is ${trigger?.type ?? "message_received"}. Only rules with the trigger manual start on request.`
      )
    if (!isEnabled(rule)) return yield* refuse("It is disabled. Enable it first.")
    const contact = yield* requireUnmergedContact(tenantId, contactId)
    if (contact.archivedAt !== null) return yield* refuse("The contact is archived.")
    const about = { tenantId, contactId: contact.contactId, leadId: null, messageId: null, taskId: null, change: null }
    const run = yield* storeCause({ rule, trigger }, { ...about, causeAt: now, key: null }, now, now)
    yield* recordAuditChange({ before: null, after: { trigger_run_id: run.triggerRunId, contact_id: run.contactId } })
    return run
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("startRule"))
