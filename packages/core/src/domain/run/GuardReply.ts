import { Effect } from "effect"
import type { Channel } from "../Channel.ts"
import type { Tier } from "../lead/Score.ts"
import type { Classification } from "../classification/Classification.ts"
import { type Budget, runCooperatively } from "../budget/Budget.ts"
import { type CompiledGuardrail, evaluating } from "../guardrail/EvaluateGuardrails.ts"
import type { GuardVerdict } from "../guardrail/Guardrail.ts"
import type { RunStep, WeighedReply } from "./Run.ts"
import type { RunSubject } from "./RunSubject.ts"
import type { TimeFacts } from "../time/TimeFacts.ts"

/** A written reply and its intended mode before guardrails are evaluated. */
export interface ProposedReply {
  readonly text: string
  readonly channel: Channel
  readonly mode: "draft" | "auto"
  /** Reasons why a person must read the reply first in any mode. Empty when there are none. */
  readonly concerns: ReadonlyArray<string>
}

const hourMillis = 3_600_000

/** Returns the reason of a takeover, or null: a person of the tenant has recently written to the contact. */
const takeoverReason = ({ lastByPersonAt, now, tenant }: RunSubject): string | null => {
  const { takeoverHours } = tenant.config
  if (lastByPersonAt === null || now - lastByPersonAt >= takeoverHours * hourMillis) return null
  return `a person has written to the contact within ${takeoverHours} hours`
}

const stepOf = ({ evaluations, outcome }: GuardVerdict, holds: ReadonlyArray<string>): RunStep => {
  const strictest = evaluations.find((one) => one.outcome === "block")
  if (strictest !== undefined) {
    const reason = `guardrail ${strictest.guardrailId} blocks the reply: ${strictest.reason}`
    return { step: "guard", outcome: "suppressed", reason }
  }
  const guards = evaluations
    .filter((one) => one.outcome === outcome && outcome === "require_approval")
    .map(({ guardrailId, reason }) => `guardrail ${guardrailId}: ${reason}`)
  const reasons = [...guards, ...holds]
  if (reasons.length > 0) return { step: "guard", outcome: "done", reason: `a person approves: ${reasons.join("; ")}` }
  const requested =
    evaluations.length === 0 ? "there are no guardrails" : `${evaluations.length} guardrails allow the reply`
  return { step: "guard", outcome: "done", reason: requested }
}

/**
 * Evaluates a written reply in any mode: the tenant's guardrails, the concerns about its text, and a takeover by a
 * person. The strictest result applies.
 */
export const guardReply = Effect.fnUntraced(function* (
  subject: RunSubject,
  proposed: ProposedReply,
  of: { readonly classification: Classification | null; readonly tier: Tier; readonly time: TimeFacts },
  guardrails: ReadonlyArray<CompiledGuardrail>,
  budget: Budget
) {
  const { channel, concerns, mode, text } = proposed
  const weighed = { ...of, text, repliesToday: subject.repliesToday }
  const { evaluations, outcome } = yield* runCooperatively(evaluating(guardrails, weighed, budget), budget)
  const taken = mode === "auto" ? takeoverReason(subject) : null
  const holds = taken === null ? concerns : [...concerns, taken]
  const held = holds.length > 0 || outcome !== "allow"
  const verdict: GuardVerdict = {
    outcome: outcome === "allow" && concerns.length > 0 ? "require_approval" : outcome,
    evaluations
  }
  const written: WeighedReply = { text, channel, mode: held ? "draft" : mode, ...verdict }
  return { written, step: stepOf({ outcome, evaluations }, holds) }
})
