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
import { renderActions } from "./RenderActions.ts"

/** The decision of a run, before anything is carried out. */
export interface RunDecision extends Omit<RunResult, "actions" | "reply" | "score"> {
  readonly score: Score
  /**
   * The actions in the order of execution. `reply`, `suppress_reply` and `stop` have already taken effect and are
   * listed too.
   */
  readonly wanted: ReadonlyArray<RequestedAction>
  /** The question that a model has to answer first; null when the decision is complete. */
  readonly question: Question | null
  /** The facts that decided about the reply. `applyRun` completes them. */
  readonly replyFacts: ReplyFacts
  /** The exhausted resource, when the run ends for review without any effect; null when the run fits its budget. */
  readonly overBudget: BudgetExceeded | null
}

/** Returns the facts that the rules of a run were evaluated with. */
export const factsOfRun = (
  subject: RunSubject,
  { timeAt }: CompiledConfig,
  of: { readonly classification: Classification | null; readonly score: Score | null }
): Facts => factsOf({ ...subject, ...of, time: timeAt(subject.now) })

/** Returns the decision of a run. `more` depends on whether the run exceeded its budget. */
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

/** Decides within a budget. Fails with `BudgetExceeded` without a partial decision. */
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
 * Decides a run that exceeds its budget: it is classified and scored, but no rule matches and no action or reply
 * follows. A person gets a review task.
 */
const decideForReview = (subject: RunSubject, recordings: Recordings, overBudget: BudgetExceeded): RunDecision =>
  decisionOf(
    assessMessage(subject, recordings.classification),
    { code: "run_over_budget", detail: overBudget.reason },
    replyFactsOf(subject, [], recordings, true),
    { matchedRules: [], wanted: [], overBudget }
  )

/**
 * Classifies, scores and routes one message, and writes and weighs its reply. Deterministic: equal inputs give equal
 * bytes, and no clock is read. `question` names a missing answer of a model. A run that exceeds its budget is decided
 * for review. It yields to other fibers; `pace` records the last yield.
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

/** Decides with the tenant's current configuration. Decides for review when even the full budget is not enough. */
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
 * Decides with the small budget of a unit of work. Fails with `BudgetExceeded` when the full budget may be enough; then
 * call `decideRun` outside the unit.
 */
export const decideWithUnitBudget = (subject: RunSubject, recordings: Recordings) =>
  runWithUnitBudget(subject.tenant.tenantId, (budget) => deciding(subject, recordings, budget, isOutOfSteps))

/** Decides with the full budget. */
const decideWithRunBudget = (subject: RunSubject, recordings: Recordings) =>
  costly(subject.tenant.tenantId, (budget) => deciding(subject, recordings, budget, () => false)).pipe(
    Effect.catchTag("BudgetExceeded", Effect.die),
    Effect.withSpan("decideWithRunBudget")
  )

/** Decides with the small budget if that is enough, else with the full one. Must run outside a unit of work. */
export const decideRun = Effect.fn("decideRun")(function* (subject: RunSubject, recordings: Recordings) {
  return yield* Effect.catchTag(decideWithUnitBudget(subject, recordings), "BudgetExceeded", () =>
    decideWithRunBudget(subject, recordings)
  )
})
