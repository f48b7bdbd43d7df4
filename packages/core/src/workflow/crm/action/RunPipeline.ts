import { Effect } from "effect"
import { channels } from "../../../domain/Channel.ts"
import { handleRequest } from "../../pipeline/HandleRequest.ts"
import type { ActionAnswer, ActionCall } from "../../../domain/crm/ActionCall.ts"
import { choice, requiredText } from "../../../domain/crm/ActionInputs.ts"

/**
 * Sends a text of the contact through the whole pipeline, like `POST /webhook/automation`. A repeated call returns the
 * result of the first.
 */
export const runPipeline = Effect.fnUntraced(function* (call: ActionCall) {
  const { contact, crmContactId, inputs, locationId, tenant, workflowId } = call
  const { email, name, phone } = contact
  const request = {
    message: yield* requiredText(inputs, "message", 100_000),
    contact: { name, email, phone },
    contactId: contact.contactId,
    channel: yield* choice(inputs, "channel", channels, "webhook"),
    source: "crm",
    metadata: { location_id: locationId, crm_contact_id: crmContactId, workflow_id: workflowId },
    idempotencyKey: call.callId
  }
  const { result, signalId } = yield* handleRequest({ tenant, request })
  const { actions, classification, matchedRules, reply, score } = result
  return {
    contact_id: contact.contactId,
    signal_id: signalId,
    intent: classification?.intent ?? null,
    urgency: classification?.urgency ?? null,
    sentiment: classification?.sentiment ?? null,
    summary: classification?.summary ?? null,
    lead_score: score?.score ?? null,
    lead_tier: score?.tier ?? null,
    matched_rules: matchedRules.length,
    actions_triggered: actions
      .filter(({ outcome }) => outcome === "done")
      .map(({ type }) => type)
      .join(", "),
    reply_text: reply?.text ?? null,
    reply_requires_approval: reply?.requiresApproval ?? null
  } satisfies ActionAnswer
})
