import { Effect } from "effect"
import { preview } from "../../domain/conversation/Message.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { matches } from "../../domain/webhook/Subscription.ts"
import type { Action } from "../../domain/rule/Rule.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"

type Notice = Extract<Action, { readonly type: "notify" }>

/** Returns the number of active subscriptions that receive the event. */
const subscribers = Effect.fnUntraced(function* (tenantId: string) {
  const all = yield* (yield* Subscriptions).list(tenantId)
  return all.filter((one) => one.status === "active" && matches(one, "rule.notified")).length
})

/**
 * Reports the notification of a rule or macro to partner applications, as an outbound event. The event is recorded once, with the
 * other actions. Subscriptions receive it, and readers of the event list can read it later. Returns the event, and a text with
 * the number of subscriptions.
 */
export const notify = Effect.fnUntraced(function* (target: ActionTarget, ruleId: string, { to }: Notice, text: string) {
  const { contact, lead, message, signalId, tenant } = target
  const { tenantId } = tenant
  const count = yield* subscribers(tenantId)
  const event: NewEvent = {
    type: "rule.notified",
    tenantId,
    data: {
      rule_id: ruleId,
      to: to ?? null,
      text,
      contact_id: contact.contactId,
      lead_id: lead?.leadId ?? null,
      signal_id: signalId,
      message_id: message?.messageId ?? null,
      preview: message === null ? "" : preview(message.body)
    }
  }
  const received = count === 0 ? "no webhook receives it now" : `received by ${count} webhook${count === 1 ? "" : "s"}`
  return { event, reason: `rule.notified, ${received}` }
})
