import { Clock, Data, Effect } from "effect"
import type { RenderedBody } from "../email/outgoing/ReserveSend.ts"
import { evaluateText } from "../pipeline/guard/EvaluateGuardrails.ts"
import { recordGuardEvaluations } from "../pipeline/guard/RecordGuardEvaluations.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import type { Draft } from "./Draft.ts"

/** A guardrail of the tenant does not let a text out, whoever sends it. */
export class GuardrailBlocked extends Data.TaggedError("GuardrailBlocked")<{
  readonly guardrailId: string
  readonly reason: string
}> {}

/**
 * Asks the guardrails that look at a text about a draft as a person is about to send it, and keeps what they say. Null:
 * it may go; who asked for approval has it now. A block is returned and not failed with, so that the unit of work keeps it.
 */
export const guardDraft = Effect.fnUntraced(function* (tenant: Tenant, draft: Draft, { html, text }: RenderedBody) {
  // Of HTML as it is written and as it is read: a link may stand in either.
  const { evaluations } = evaluateText(tenant.config.guardrails, html === null ? text : `${text}\n${html}`)
  const { contactId, messageId, signalId, tenantId } = draft
  const at = yield* Clock.currentTimeMillis
  yield* recordGuardEvaluations({ tenantId, signalId, contactId, messageId, evaluations, at, stage: "approval" })
  const block = evaluations.find(({ outcome }) => outcome === "block")
  return block === undefined ? null : new GuardrailBlocked({ guardrailId: block.guardrailId, reason: block.reason })
})
