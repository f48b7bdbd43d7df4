import { Effect } from "effect"
import { answersContact, countsAsUnread, type Message } from "../../domain/conversation/Message.ts"
import type { AnswerTrigger } from "../../domain/rule/Trigger.ts"
import { causeOf, triggerTime } from "../../domain/run/TriggerRun.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { type QueuedRule, queuedRules, storeCause } from "./StoreCause.ts"

/**
 * The age from which a message that arrives is history, in milliseconds. A mailbox that is connected after a rule was
 * saved thus causes no runs for its old mail.
 */
const historyMillis = 3_600_000

/**
 * Returns whether a message was too old to be a cause of rules when it arrived. The time of its run does not matter,
 * because an outage of the servers may delay the run.
 */
export const isHistory = ({ receivedAt, timestamp }: Pick<Message, "receivedAt" | "timestamp">): boolean =>
  timestamp < receivedAt - historyMillis

const rulesWith = ({ config }: Tenant, type: AnswerTrigger["type"]) =>
  queuedRules(config.rules).filter(({ trigger }) => trigger.type === type)

/** Stores a message as the cause of rules. */
const storeMessage = Effect.fnUntraced(function* (
  { config }: Tenant,
  rules: ReadonlyArray<QueuedRule>,
  message: Message,
  now: number
) {
  const { contactId, messageId, tenantId, timestamp } = message
  // The clock of a sender may be fast.
  const causeAt = Math.min(timestamp, now)
  const key = causeOf(contactId, timestamp)
  const cause = { tenantId, contactId, leadId: null, messageId, taskId: null, change: null, causeAt, key }
  for (const each of rules) {
    yield* storeCause(each, cause, triggerTime(each.trigger, cause, config.timeZone), now)
  }
})

/**
 * Starts to wait for the contact's answer to a message of our side, for each enabled rule with the trigger `no_answer`.
 * Other messages have no effect. Runs inside the unit of work that stores the message.
 */
export const awaitAnswer = Effect.fnUntraced(function* (tenant: Tenant, message: Message, now: number) {
  if (!answersContact(message) || isHistory(message)) return
  const rules = rulesWith(tenant, "no_answer")
  if (rules.length > 0) yield* storeMessage(tenant, rules, message, now)
})

/**
 * Starts to wait for our answer to a message of the contact, for each enabled rule with the trigger `unanswered`. Only
 * the first message of a wait has an effect. Runs inside the unit of work that ends the run of the message.
 */
export const awaitOurAnswer = Effect.fnUntraced(function* (tenant: Tenant, message: Message, now: number) {
  if (!countsAsUnread(message) || isHistory(message)) return
  const rules = rulesWith(tenant, "unanswered")
  if (rules.length === 0) return
  const [conversation] = yield* (yield* Conversations).among(tenant.tenantId, [message.contactId])
  const { waitingSince = null } = conversation ?? {}
  // An automatic reply may have ended the wait. It continues if the reply fails, so the run waits nevertheless.
  if (waitingSince !== null && waitingSince < message.timestamp) return
  yield* storeMessage(tenant, rules, message, now)
})
