import { Effect } from "effect"
import { unparsedReasonOf } from "../../domain/conversation/UnparsedMail.ts"
import { type Score, scoreMessage } from "../../domain/lead/Score.ts"
import type { Classification } from "../../domain/classification/Classification.ts"
import { evaluateRulesInSlices } from "../../domain/rule/EvaluateRulesInSlices.ts"
import { type CompiledConfig, CompiledConfigs } from "../../domain/tenant/CompiledConfigs.ts"
import { type Budget, BudgetExceeded, runCooperatively, makeBudget, newPace, type Pace, runLimits } from "../../domain/budget/Budget.ts"
import { costly, isOutOfSteps, runWithUnitBudget } from "../budget/RunBudgeted.ts"
import { type Facts, factsOf } from "../../domain/rule/Fact.ts"
import { type CompiledGuardrail, evaluating } from "../../domain/guardrail/EvaluateGuardrails.ts"
import type { Cause, Reason } from "../../domain/reason/Reason.ts"
import { decideReply, type ReplyDecision, type ReplyFacts, replyFactsOf } from "../../domain/reply/DecideReply.ts"
import type { RequestedAction } from "../../domain/rule/Rule.ts"
import { classifyByKeywords } from "../../domain/classification/KeywordClassifier.ts"
import type { Question, Recordings } from "../../domain/run/Recordings.ts"
import { type RunResult, type RunStep, stepOf, type WeighedReply } from "../../domain/run/Run.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import { renderActions } from "./RenderActions.ts"
import { renderReply } from "../reply/RenderReply.ts"

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

const byModel = ({ message, modelConfigured }: RunSubject, recorded: Recordings["classification"]): Cause => {
  if (unparsedReasonOf(message) !== null) return { code: "unparsed_not_classified" }
  if (message.auto !== null) return { code: "automatic_not_classified", auto: message.auto }
  if (recorded?.outcome === "answered") return { code: "classified_by_model", model: recorded.use.model }
  if (recorded?.outcome === "failed") return { code: "model_failed", detail: recorded.reason }
  if (recorded !== null) return recorded.reason
  return { code: modelConfigured ? "model_not_called" : "model_not_configured" }
}

/** Returns the classification of a message, or null, with its reason. `model_not_called` is a question to a model. */
const classify = (subject: RunSubject, recorded: Recordings["classification"]): Classified => {
  const { message, tenant } = subject
  switch (tenant.config.classifier) {
    case "off":
      return { classification: null, reason: { code: "classifier_off" } }
    case "keywords":
      return {
        classification: classifyByKeywords({ text: message.body, subject: message.subject }),
        reason: { code: "classified_by_keywords" }
      }
    case "model": {
      const reason = byModel(subject, recorded)
      const isByModel = reason.code === "classified_by_model" && recorded?.outcome === "answered"
      return { classification: isByModel ? recorded.value : null, reason }
    }
  }
}

interface Classified {
  readonly classification: Classification | null
  readonly reason: Cause
}

/** Scores a message with its classification. */
export const scoreSubject = (
  { tenant, message, contact, contactIsNew }: Pick<RunSubject, "tenant" | "message" | "contact" | "contactIsNew">,
  classification: Classification | null
): Score =>
  scoreMessage(
    {
      text: message.body,
      subject: message.subject,
      channel: message.channel,
      auto: message.auto !== null,
      hasName: contact.name !== null,
      hasEmail: contact.email !== null,
      hasPhone: contact.phone !== null,
      returning: !contactIsNew,
      classification
    },
    tenant.config.thresholds,
    tenant.config.scoreWeights
  )

/**
 * Classifies and scores one message as a run would, without asking a model. `known` is an earlier classification by a
 * model, or null.
 */
export const assessMessage = (
  subject: RunSubject,
  known: Classification | null = null
): { readonly classification: Classification | null; readonly score: Score } => {
  const { classifier } = subject.tenant.config
  const classification = classifier === "model" ? known : classify(subject, null).classification
  return { classification, score: scoreSubject(subject, classification) }
}

/** Returns the facts that the rules of a run were evaluated with. */
export const factsOfRun = (
  subject: RunSubject,
  { timeAt }: CompiledConfig,
  of: { readonly classification: Classification | null; readonly score: Score | null }
): Facts => factsOf({ ...subject, ...of, time: timeAt(subject.now) })

/** Computes classification, score and time facts, with which every run begins. */
const begin = (config: CompiledConfig, subject: RunSubject, recordings: Recordings) => {
  const about = classify(subject, recordings.classification)
  return { ...about, score: scoreSubject(subject, about.classification), time: config.timeAt(subject.now) }
}

type Begun = ReturnType<typeof begin>

/** Renders and checks the reply as far as `decideReply` requests it. Returns all known facts. */
const gatherReplyFacts = Effect.fnUntraced(function* (
  subject: RunSubject,
  before: ReplyFacts,
  { classification, score, time }: Begun,
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

/** Returns the reply to store with the run. A reply with concerns requires approval whatever the guardrails say. */
const weighedReply = ({ guards, message }: ReplyFacts, decision: ReplyDecision): WeighedReply | null => {
  if (!("reply" in decision) || guards === undefined) return null
  const { concerns, text } = decision.reply
  const { evaluations } = guards
  const outcome = guards.outcome === "allow" && concerns.length > 0 ? "require_approval" : guards.outcome
  return { text, channel: message.channel, mode: decision._tag === "Release" ? "auto" : "draft", outcome, evaluations }
}

const replySteps = (decision: ReplyDecision, written: WeighedReply | null): ReadonlyArray<RunStep> => {
  if (!("reply" in decision) || written === null) {
    const reason: Reason = "reason" in decision ? decision.reason : { code: "no_reply_written" }
    return [stepOf("reply", reason), stepOf("guard", { code: "no_reply_written" })]
  }
  const isHeld = decision._tag === "Block" || (decision._tag === "Hold" && decision.because.length > 0)
  const guarded: Reason = isHeld ? decision.reason : { code: "guardrails_allow", count: written.evaluations.length }
  return [stepOf("reply", decision.reply.source), stepOf("guard", guarded)]
}

/** Returns the decision of a run. A run with rules and without a question also renders its actions. */
const decisionOf = (
  { classification, reason, score }: Begun,
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
export const decideWithin = Effect.fnUntraced(function* (
  config: CompiledConfig,
  subject: RunSubject,
  recordings: Recordings,
  budget: Budget
) {
  if (subject.outOfTime === true) {
    return yield* new BudgetExceeded({ resource: "milliseconds", limit: runLimits.milliseconds })
  }
  const begun = begin(config, subject, recordings)
  const { classification, score, time } = begun
  const facts = factsOf({ ...subject, classification, score, time })
  const { matched, stoppedBy } = yield* evaluateRulesInSlices(config.rules, facts, budget)
  const requested = matched.flatMap(({ ruleId, actions }) =>
    actions.map((action): RequestedAction => ({ ruleId, action }))
  )
  const before = replyFactsOf(subject, requested, recordings)
  const replyFacts = yield* gatherReplyFacts(subject, before, begun, config.guardrails(), budget)
  const count = matched.length
  const route: Reason =
    stoppedBy === null ? { code: "rules_matched", count } : { code: "rules_stopped", count, ruleId: stoppedBy }
  const decision = decisionOf(begun, route, replyFacts, {
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
export const decideForReview = (
  config: CompiledConfig,
  subject: RunSubject,
  recordings: Recordings,
  overBudget: BudgetExceeded
): RunDecision =>
  decisionOf(
    begin(config, subject, recordings),
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
    Effect.catchTag("BudgetExceeded", (exceeded) =>
      Effect.succeed(decideForReview(config, subject, recordings, exceeded))
    )
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
      mayBeEnough(exceeded)
        ? Effect.fail(exceeded)
        : Effect.succeed(decideForReview(config, subject, recordings, exceeded))
    )
  )
})

/**
 * Decides with the small budget of a unit of work. Fails with `BudgetExceeded` when the full budget may be enough; then
 * call `decideWithRunBudget` outside the unit.
 */
export const decideWithUnitBudget = (subject: RunSubject, recordings: Recordings) =>
  runWithUnitBudget(subject.tenant.tenantId, (budget) => deciding(subject, recordings, budget, isOutOfSteps))

/** Decides with the full budget. Must run outside a unit of work. */
export const decideWithRunBudget = (subject: RunSubject, recordings: Recordings) =>
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
