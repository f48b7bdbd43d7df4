import { Clock, Data, Effect } from "effect"
import type { RenderedBody } from "../sending/ReserveSend.ts"
import { inTurns, makeBudget, textLimits, unitLimits } from "../../domain/budget/Budget.ts"
import { evaluateText, evaluatingText, mostStepsOfText } from "../../domain/guardrail/EvaluateGuardrails.ts"
import type { GuardVerdict } from "../../domain/guardrail/Guardrail.ts"
import { recordGuardEvaluations } from "../pipeline/RecordGuardEvaluations.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { Draft } from "../../domain/draft/Draft.ts"

/** A guardrail of the tenant does not let a text out, whoever sends it. */
export class GuardrailBlocked extends Data.TaggedError("GuardrailBlocked")<{
  readonly guardrailId: string
  readonly reason: string
}> {}

/** A text takes longer to look through than a unit of work may: it has to be looked through before. */
export class NotLookedThrough extends Data.TaggedError("NotLookedThrough")<{ readonly text: string }> {}

/** A text, and what the guardrails say of it. */
export interface LookedThrough extends GuardVerdict {
  readonly text: string
}

/** Looks through a text with turns for the event loop. Never inside a unit of work. */
export const lookThrough = Effect.fnUntraced(function* (tenant: Tenant, text: string) {
  const budget = makeBudget(textLimits)
  const verdict = yield* Effect.orDie(inTurns(evaluatingText(tenant.config.guardrails, text, budget), budget))
  return { ...verdict, text } satisfies LookedThrough
})

/**
 * Asks the guardrails that look at a text about a draft as a person is about to send it, and keeps what they say. Null:
 * it may go; who asked for approval has it now. A block is returned and not failed with, so that the unit of work keeps it.
 * A text that takes long fails with `NotLookedThrough` unless it is the one in `before`.
 */
export const guardDraft = Effect.fnUntraced(function* (
  tenant: Tenant,
  draft: Draft,
  { html, text }: RenderedBody,
  before: LookedThrough | null
) {
  const { guardrails } = tenant.config
  // Of HTML as it is written and as it is read: a link may stand in either.
  const whole = html === null ? text : `${text}\n${html}`
  const isKnown = before?.text === whole
  if (!isKnown && mostStepsOfText(guardrails, whole) > unitLimits.steps) {
    return yield* new NotLookedThrough({ text: whole })
  }
  const { evaluations } = isKnown ? before : evaluateText(guardrails, whole)
  const { contactId, messageId, signalId, tenantId } = draft
  const at = yield* Clock.currentTimeMillis
  yield* recordGuardEvaluations({ tenantId, signalId, contactId, messageId, evaluations, at, stage: "approval" })
  const block = evaluations.find(({ outcome }) => outcome === "block")
  return block === undefined ? null : new GuardrailBlocked({ guardrailId: block.guardrailId, reason: block.reason })
})
