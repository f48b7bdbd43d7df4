import { Effect } from "effect"
import { type Budget, BudgetExceeded, makeBudget, newPace, type Pace, runLimits } from "../../domain/budget/Budget.ts"
import type { Classification } from "../../domain/classification/Classification.ts"
import type { Score } from "../../domain/lead/Score.ts"
import type { Reason } from "../../domain/reason/Reason.ts"
import { decideReply, type ReplyFacts, replyFactsOf } from "../../domain/reply/DecideReply.ts"
import { evaluateRulesInSlices } from "../../domain/rule/EvaluateRulesInSlices.ts"
import { type Facts, factsOf } from "../../domain/rule/Fact.ts"
import type { RequestedAction } from "../../domain/rule/Rule.ts"
import { type Assessed, assessMessage } from "../../domain/run/AssessMessage.ts"
import type { Question, Recordings } from "../../domain/run/Recordings.ts"
import { type RunResult, stepOf } from "../../domain/run/Run.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import { type CompiledConfig, CompiledConfigs } from "../../domain/tenant/CompiledConfigs.ts"
import { costly, isOutOfSteps, runWithUnitBudget } from "../budget/RunBudgeted.ts"
import { gatherReplyFacts, replySteps, weighedReply } from "../reply/WeighReply.ts"
import { renderActions } from "../action/RenderActions.ts"
import { withSpan } from "../WithSpan.ts"

/** The decision of a run, before its effects. */
export interface RunDecision extends Omit<RunResult, "actions" | "reply" | "score"> {
  readonly score: Score
  /**
   * The requested actions, in the order of execution. `reply`, `suppress_reply` and `stop` are also listed, although
   * they have already influenced the decision.
   */
  readonly wanted: ReadonlyArray<RequestedAction>
  /** The question that a model must answer before the decision is complete. Null when the decision is complete. */
  readonly question: Question | null
  /** The facts that determined the decision about the reply. `applyRun` adds the facts about the delivery. */
  readonly replyFacts: ReplyFacts
  /** The exceeded limit, if the run ends for review without any other effect. Null when the run fits its budget. */
  readonly overBudget: BudgetExceeded | null
}

/** Returns the facts with which the rules of a run are evaluated. */
export const factsOfRun = (
  subject: RunSubject,
  { timeAt }: CompiledConfig,
  of: { readonly classification: Classification | null; readonly score: Score | null }
): Facts => factsOf({ ...subject, ...of, time: timeAt(subject.now) })

/** Builds the decision of a run. `more` contains the parts that differ when the run exceeds its budget. */
const decisionOf = (
  { classification, reason, score }: Assessed,
  route: Reason,
  replyFacts: ReplyFacts,
  more: Pick<RunDecision, "matchedRules" | "wanted" | "overBudget">
): RunDecision => {
  const decision = decideReply(replyFacts)
  const written = weighedReply(replyFacts, decision)
  const asksForReply = decision._tag === "Ask" ? "reply" : null
  const question = reason.code === "model_not_called" ? "classification" : asksForReply
  return {
    classification,
    score,
    ...more,
    written,
    steps: [
      stepOf("classify", reason),
      stepOf("score", { code: "scored", score: score.score, tier: score.tier }),
      stepOf("route", route),
      ...replySteps(decision, written)
    ],
    question: more.overBudget === null ? question : null,
    replyFacts
  }
}

/** Decides within a budget. Fails with `BudgetExceeded`, and then returns no part of the decision. */
const decideWithin = Effect.fnUntraced(function* (
  config: CompiledConfig,
  subject: RunSubject,
  recordings: Recordings,
  budget: Budget
) {
  if (subject.outOfTime === true) {
    return yield* new BudgetExceeded({ resource: "milliseconds", limit: runLimits.milliseconds })
  }
  const time = config.timeAt(subject.now)
  const assessed = assessMessage(subject, recordings.classification)
  const { classification, score } = assessed
  const facts = factsOf({ ...subject, classification, score, time })
  const { matched, stoppedBy } = yield* evaluateRulesInSlices(config.rules, facts, budget)
  const requested = matched.flatMap(({ ruleId, actions }) =>
    actions.map((action): RequestedAction => ({ ruleId, action }))
  )
  const before = replyFactsOf(subject, requested, recordings)
  const replyFacts = yield* gatherReplyFacts(subject, before, { ...assessed, time }, config.guardrails(), budget)
  const count = matched.length
  const route: Reason =
    stoppedBy === null ? { code: "rules_matched", count } : { code: "rules_stopped", count, ruleId: stoppedBy }
  const decision = decisionOf(assessed, route, replyFacts, {
    matchedRules: matched.map(({ ruleId, name }) => ({ ruleId, name })),
    wanted: requested,
    overBudget: null
  })
  if (decision.question !== null) return decision
  return { ...decision, wanted: yield* renderActions(subject, requested, budget) }
})

/**
 * Decides a run that exceeds its budget. The message is classified and scored, but there are no matched rules, no
 * actions and no reply. A person gets a review task.
 */
const decideForReview = (subject: RunSubject, recordings: Recordings, overBudget: BudgetExceeded): RunDecision =>
  decisionOf(
    assessMessage(subject, recordings.classification),
    { code: "run_over_budget", detail: overBudget.reason },
    replyFactsOf(subject, [], recordings, true),
    { matchedRules: [], wanted: [], overBudget }
  )

/**
 * Decides about one message: classifies, scores and routes it, and renders and checks its reply. Deterministic: equal
 * inputs give equal results to the byte, because no clock is read. `question` names an answer of a model that is
 * missing. A run that exceeds its budget is decided for review. Yields to other fibers; `pace` counts the steps since
 * the last yield.
 */
export const decideWith = Effect.fnUntraced(function* (
  config: CompiledConfig,
  subject: RunSubject,
  recordings: Recordings,
  pace: Pace = newPace()
) {
  return yield* decideWithin(config, subject, recordings, makeBudget(runLimits, undefined, pace)).pipe(
    Effect.catchTag("BudgetExceeded", (exceeded) => Effect.succeed(decideForReview(subject, recordings, exceeded)))
  )
})

/**
 * Decides with the tenant's current configuration. If the budget is exceeded, `mayBeEnough` tells whether a larger
 * budget may suffice. If it may not, decides for review.
 */
const deciding = Effect.fnUntraced(function* (
  subject: RunSubject,
  recordings: Recordings,
  budget: Budget,
  mayBeEnough: (exceeded: BudgetExceeded) => boolean
) {
  const config = yield* (yield* CompiledConfigs).of(subject.tenant)
  return yield* decideWithin(config, subject, recordings, budget).pipe(
    Effect.catchTag("BudgetExceeded", (exceeded) =>
      mayBeEnough(exceeded) ? Effect.fail(exceeded) : Effect.succeed(decideForReview(subject, recordings, exceeded))
    )
  )
})

/**
 * Decides with the small budget of a unit of work. Fails with `BudgetExceeded` when the full budget may suffice. Then
 * call `decideRun` outside the unit of work.
 */
export const decideWithUnitBudget = (subject: RunSubject, recordings: Recordings) =>
  runWithUnitBudget(subject.tenant.tenantId, (budget) => deciding(subject, recordings, budget, isOutOfSteps))

/** Decides with the full budget of a run. */
const decideWithRunBudget = (subject: RunSubject, recordings: Recordings) =>
  costly(subject.tenant.tenantId, (budget) => deciding(subject, recordings, budget, () => false)).pipe(
    Effect.catchTag("BudgetExceeded", Effect.die),
    Effect.withSpan("decideWithRunBudget")
  )

/**
 * Decides with the small budget. If it does not suffice, decides with the full budget. Must run outside a unit of work.
 */
export const decideRun = Effect.fnUntraced(function* (subject: RunSubject, recordings: Recordings) {
  return yield* Effect.catchTag(decideWithUnitBudget(subject, recordings), "BudgetExceeded", () =>
    decideWithRunBudget(subject, recordings)
  )
}, withSpan("decideRun"))
