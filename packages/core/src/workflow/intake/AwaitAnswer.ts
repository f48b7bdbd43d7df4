import { Effect } from "effect"
import { answersContact, countsAsUnread, type Message } from "../../domain/conversation/Message.ts"
import { isEnabled } from "../../domain/rule/Rule.ts"
import { timeTriggerOf, type TimeTrigger } from "../../domain/rule/Trigger.ts"
import { causeOf, type TriggerRun, triggerTime } from "../../domain/run/TriggerRun.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import { Ids } from "../../port/system/Ids.ts"

/**
 * The age from which a message that arrives is history, in milliseconds. A mailbox that is connected after a rule was
 * saved thus causes no runs for its old mail.
 */
const historyMillis = 3_600_000

const rulesWith = ({ config }: Tenant, type: TimeTrigger["type"]) =>
  config.rules.flatMap((rule) => {
    const trigger = isEnabled(rule) ? timeTriggerOf(rule) : null
    return trigger?.type === type ? [{ rule, trigger }] : []
  })

/** Stores a message as the cause of rules. */
const storeCause = Effect.fnUntraced(function* (
  rules: ReturnType<typeof rulesWith>,
  { contactId, messageId, tenantId, timestamp }: Message,
  now: number
) {
  // The clock of a sender may be fast.
  const causeAt = Math.min(timestamp, now)
  const [ids, runs] = [yield* Ids, yield* TriggerRuns]
  for (const { rule, trigger } of rules) {
    const runAt = triggerTime(causeAt, trigger)
    const run: TriggerRun = {
      triggerRunId: yield* ids.next("trg"),
      tenantId,
      ruleId: rule.id,
      ruleName: rule.name,
      trigger: trigger.type,
      cause: causeOf(contactId, timestamp),
      contactId,
      leadId: null,
      messageId,
      causeAt,
      runAt,
      state: "waiting",
      reason: null,
      actions: [],
      configVersion: null,
      attempts: 0,
      dueAt: runAt,
      createdAt: now,
      updatedAt: now
    }
    yield* runs.insert(run)
  }
})

/**
 * Starts to wait for the contact's answer to a message of our side, for each enabled rule with the trigger `no_answer`.
 * Other messages have no effect. Runs inside the unit of work that stores the message.
 */
export const awaitAnswer = Effect.fnUntraced(function* (tenant: Tenant, message: Message, now: number) {
  if (!answersContact(message) || message.timestamp < now - historyMillis) return
  const rules = rulesWith(tenant, "no_answer")
  if (rules.length > 0) yield* storeCause(rules, message, now)
})

/**
 * Starts to wait for our answer to a message of the contact, for each enabled rule with the trigger `unanswered`. Only
 * the first message of a wait has an effect. Runs inside the unit of work that ends the run of the message.
 */
export const awaitOurAnswer = Effect.fnUntraced(function* (tenant: Tenant, message: Message, now: number) {
  if (!countsAsUnread(message) || message.timestamp < now - historyMillis) return
  const rules = rulesWith(tenant, "unanswered")
  if (rules.length === 0) return
  const [conversation] = yield* (yield* Conversations).among(tenant.tenantId, [message.contactId])
  const { waitingSince = null } = conversation ?? {}
  // An automatic reply may have ended the wait. It continues if the reply fails, so the run waits nevertheless.
  if (waitingSince !== null && waitingSince < message.timestamp) return
  yield* storeCause(rules, message, now)
})
