import { Effect } from "effect"
import { type Budget, runCooperatively } from "../../domain/budget/Budget.ts"
import { type CompiledGuardrail, evaluating } from "../../domain/guardrail/EvaluateGuardrails.ts"
import type { Reason } from "../../domain/reason/Reason.ts"
import { decideReply, type ReplyDecision, type ReplyFacts } from "../../domain/reply/DecideReply.ts"
import type { Assessed } from "../../domain/run/AssessMessage.ts"
import { type RunStep, stepOf, type WeighedReply } from "../../domain/run/Run.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import type { TimeFacts } from "../../domain/time/TimeFacts.ts"
import { renderReply } from "./RenderReply.ts"

/** Renders and checks the reply, as far as `decideReply` requests it. Returns all known facts. */
export const gatherReplyFacts = Effect.fnUntraced(function* (
  subject: RunSubject,
  before: ReplyFacts,
  { classification, score, time }: Assessed & { readonly time: TimeFacts },
  guardrails: ReadonlyArray<CompiledGuardrail>,
  budget: Budget
) {
  let facts = before
  let decision = decideReply(facts)
  if (decision._tag === "Render") {
    facts = { ...facts, rendered: yield* renderReply(subject, decision, budget) }
    decision = decideReply(facts)
  }
  yield* budget.pause
  if (decision._tag === "Check") {
    const { text } = decision.reply
    const weighed = { classification, tier: score.tier, time, text, repliesToday: subject.repliesToday }
    facts = { ...facts, guards: yield* runCooperatively(evaluating(guardrails, weighed, budget), budget) }
  }
  yield* budget.pause
  return facts
})

/**
 * Returns the reply in the form that is stored with the run. A reply with concerns requires approval even if all
 * guardrails allow it.
 */
export const weighedReply = ({ guards, message }: ReplyFacts, decision: ReplyDecision): WeighedReply | null => {
  if (!("reply" in decision) || guards === undefined) return null
  const { concerns, text } = decision.reply
  const { evaluations } = guards
  const outcome = guards.outcome === "allow" && concerns.length > 0 ? "require_approval" : guards.outcome
  return { text, channel: message.channel, mode: decision._tag === "Release" ? "auto" : "draft", outcome, evaluations }
}

/** Returns the steps `reply` and `guard` for a decision. */
export const replySteps = (decision: ReplyDecision, written: WeighedReply | null): ReadonlyArray<RunStep> => {
  if (!("reply" in decision) || written === null) {
    const reason: Reason = "reason" in decision ? decision.reason : { code: "no_reply_written" }
    return [stepOf("reply", reason), stepOf("guard", { code: "no_reply_written" })]
  }
  const isHeld = decision._tag === "Block" || (decision._tag === "Hold" && decision.because.length > 0)
  const guarded: Reason = isHeld ? decision.reason : { code: "guardrails_allow", count: written.evaluations.length }
  return [stepOf("reply", decision.reply.source), stepOf("guard", guarded)]
}
