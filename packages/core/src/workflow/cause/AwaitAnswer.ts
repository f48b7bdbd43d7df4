import { Effect } from "effect"
import { answersContact, countsAsUnread, type Message } from "../../domain/conversation/Message.ts"
import type { AnswerTrigger } from "../../domain/rule/Trigger.ts"
import { causeOfMessage, isHistory, type QueuedRule, queuedRules, startsWait } from "../../domain/run/Cause.ts"
import { triggerTime } from "../../domain/run/TriggerRun.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { storeCause } from "./StoreCause.ts"

const rulesWith = ({ config }: Tenant, type: AnswerTrigger["type"]) =>
  queuedRules(config.rules).filter(({ trigger }) => trigger.type === type)

/** Stores a message as the cause of rules. */
const storeMessage = Effect.fnUntraced(function* (
  { config }: Tenant,
  rules: ReadonlyArray<QueuedRule>,
  message: Message,
  now: number
) {
  const cause = causeOfMessage(message, now)
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
  if (!startsWait(message, conversation?.waitingSince ?? null)) return
  yield* storeMessage(tenant, rules, message, now)
})
