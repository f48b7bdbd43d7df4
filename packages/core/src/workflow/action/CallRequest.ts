import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import type { WebhookCall } from "../../domain/rule/action/WebhookCall.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { maxActionText } from "./RenderActions.ts"

/** The type of the content of a call, as `event_type` and as the header `x-webhook-event`. */
export const callType = "rule.webhook_call"

const messageJson = ({ body, channel, from, messageId, subject, threadId, timestamp }: Message) => ({
  message_id: messageId,
  thread_id: threadId,
  channel,
  from,
  subject,
  text: body.slice(0, maxActionText).toWellFormed(),
  timestamp
})

const readLead = Effect.fnUntraced(function* (tenantId: string, { leadId }: WebhookCall["request"]) {
  if (leadId === null) return null
  const find = (yield* Leads).get(tenantId, leadId)
  return yield* find.pipe(Effect.catchTag("LeadNotFound", () => Effect.succeed(null)))
})

/**
 * Returns the body of a request: the envelope of outbound events, with the records as they are now. A later attempt may
 * therefore have newer values, and never those of an erased contact.
 */
export const callBody = Effect.fnUntraced(function* (
  { callId, createdAt, request, tenantId }: WebhookCall,
  { config }: Tenant,
  contact: Contact
) {
  const lead = yield* readLead(tenantId, request)
  const message = request.messageId === null ? null : yield* (yield* Messages).find(tenantId, request.messageId)
  const rule = config.rules.find(({ id }) => id === request.ruleId)
  const data = {
    rule_id: request.ruleId,
    rule_name: rule?.name ?? null,
    trigger: request.trigger,
    signal_id: request.signalId,
    trigger_run_id: request.triggerRunId,
    change: request.change,
    contact: contactEvent("contact.updated", contact).data,
    lead: lead === null ? null : leadEvent("lead.received", lead).data,
    message: message === null ? null : messageJson(message)
  }
  const envelope = { event_id: callId, event_type: callType, tenant_id: tenantId, timestamp: createdAt, data }
  return utf8ToBytes(JSON.stringify(envelope))
})
