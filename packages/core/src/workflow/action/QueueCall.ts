import { Effect } from "effect"
import type { CallWebhook } from "../../domain/rule/action/CallWebhook.ts"
import { callIdOf } from "../../domain/rule/action/WebhookCall.ts"
import { isId } from "../../domain/Id.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import { WebhookCalls } from "../../port/repository/webhook/WebhookCalls.ts"
import { done, skipped } from "./AssignAction.ts"

/**
 * Queues a call of a webhook, in the unit of work of the run. The call is stored only once, even if the run is retried.
 * `position` is the index of the action in the run.
 */
export const queueCall = Effect.fnUntraced(function* (
  { causeId, contact, lead, message, now, signalId, tenant, trigger }: ActionTarget,
  ruleId: string,
  position: number,
  { store = {}, url, webhook_id }: CallWebhook
) {
  const { tenantId } = tenant
  const triggerRunId = signalId === null && isId("trg", causeId) ? causeId : null
  if (signalId === null && triggerRunId === null) return skipped("only rules call webhooks")
  const run = triggerRunId === null ? null : yield* (yield* TriggerRuns).find(tenantId, triggerRunId)
  yield* (yield* WebhookCalls).put({
    tenantId,
    callId: callIdOf(causeId, position),
    request: {
      contactId: contact.contactId,
      ruleId,
      trigger: trigger ?? "message_received",
      signalId,
      triggerRunId,
      position,
      leadId: lead?.leadId ?? null,
      messageId: message?.messageId ?? run?.messageId ?? null,
      change: run?.change ?? null,
      url,
      webhook_id,
      store
    },
    tries: 0,
    attempts: 0,
    dueAt: now,
    createdAt: now
  })
  return done("queued: the webhook is being called")
})
