import { Effect } from "effect"
import { recordScoring } from "../contact/RecordActivity.ts"
import { unparsedReasonOf } from "../../domain/conversation/UnparsedMail.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { recordScore, type Scored, scoreEvents, withScore } from "../lead/Scores.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import type { RunDecision } from "./DecideRun.ts"
import { recordGuardEvaluations } from "./RecordGuardEvaluations.ts"
import { modelFailed, type Recordings } from "../../domain/run/Recordings.ts"
import { describeReason } from "../../domain/reason/Reason.ts"
import type { RunAction } from "../../domain/run/Run.ts"
import type { RunTarget } from "../../domain/run/RunSubject.ts"
import { type AppliedReply, sendReply } from "../reply/SendReply.ts"
import { maxTaskTitleLength, openTask } from "../task/OpenTask.ts"
import { performActions, reportLeadChange } from "../action/PerformActions.ts"
import { performSequenceActions } from "../action/SequenceActions.ts"

/** Stores the changed lead, and returns the outbound events about it. */
const keepLead = Effect.fnUntraced(function* (before: Lead, after: Lead, scored: Scored, now: number) {
  yield* (yield* Leads).update(after, before)
  yield* recordScore(after, scored, now)
  yield* recordScoring(before, after, "system", now)
  const changed = yield* reportLeadChange(before, after, { actor: "system", reason: "a rule" }, now)
  return [...scoreEvents(before, after, scored), ...changed]
})

/** The effects of a decision. */
export interface AppliedRun extends AppliedReply {
  readonly actions: ReadonlyArray<RunAction>
}

/**
 * Returns the title of the review task. A review is needed when the message could not be parsed, the run exceeded its
 * budget, or the model failed. Returns null otherwise.
 */
const reviewTitle = ({ message }: RunTarget, { overBudget }: RunDecision, recordings: Recordings): string | null => {
  if (unparsedReasonOf(message) !== null) return "A message could not be parsed: read its source"
  if (overBudget !== null) return `Not handled automatically: ${overBudget.reason}`
  const failure = modelFailed(recordings)
  return failure === null ? null : `Handled without the language model: ${failure}`
}

/** Marks a `reply` action as skipped when the run has neither created a draft nor sent a message. */
const withReply = (action: RunAction, { afterwards, reply }: AppliedReply, { steps }: RunDecision): RunAction => {
  if (action.type !== "reply" || reply !== null) return action
  const reason = afterwards ?? steps.find(({ step }) => step === "reply")?.reason
  return { ...action, outcome: "skipped", reason: reason === undefined ? "no reply" : describeReason(reason) }
}

/**
 * Applies the decision of a run. Runs inside the unit of work that ends the signal, so a retry cannot apply it twice.
 */
export const applyRun = Effect.fnUntraced(function* (target: RunTarget, decision: RunDecision, recordings: Recordings) {
  const { now, signalId } = target
  const { contactId, messageId, tenantId } = target.message
  const { classification, score } = decision
  const scored: Scored = { classification, score, messageId, signalId }
  const before = target.lead === null ? null : withScore(target.lead, scored, now)
  const cause = { ...target, causeId: signalId, eventAt: target.message.receivedAt }
  const performed = yield* performActions({ ...cause, lead: before }, decision.wanted)
  const { events, lead } = performed
  const leadEvents = lead === null || target.lead === null ? [] : yield* keepLead(target.lead, lead, scored, now)
  yield* recordEvents([...events, ...leadEvents], now)
  const actions = yield* performSequenceActions(cause, decision.wanted, performed.actions)
  const review = reviewTitle(target, decision, recordings)
  if (review !== null) yield* openTask(target, "review", review.slice(0, maxTaskTitleLength))
  // The evaluations of guardrails are recorded even if the reply is not sent.
  const evaluations = decision.written?.evaluations ?? []
  if (evaluations.length > 0) {
    yield* recordGuardEvaluations({ tenantId, signalId, contactId, messageId, evaluations, at: now })
  }
  // The reply comes last, because sending it updates contact and lead once more.
  const answered = yield* sendReply(target, decision.replyFacts)
  return { actions: actions.map((action) => withReply(action, answered, decision)), ...answered } satisfies AppliedRun
})
