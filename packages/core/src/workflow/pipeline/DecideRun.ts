import { Effect } from "effect"
import { unparsedReasonOf } from "../../domain/conversation/UnparsedMail.ts"
import { type Score, scoreMessage } from "../../domain/lead/Score.ts"
import type { Classification } from "../../domain/classification/Classification.ts"
import { evaluateRulesInSlices } from "../../domain/rule/EvaluateRulesInSlices.ts"
import { type CompiledConfig, CompiledConfigs } from "../../domain/tenant/CompiledConfigs.ts"
import { type Budget, BudgetExceeded, makeBudget, newPace, type Pace, runLimits } from "../../domain/budget/Budget.ts"
import { costly, isOutOfSteps, runWithUnitBudget } from "../budget/RunBudgeted.ts"
import { type Facts, factsOf } from "../../domain/rule/Fact.ts"
import { guardReply } from "../../domain/run/GuardReply.ts"
import { classifyByKeywords } from "../../domain/classification/KeywordClassifier.ts"
import type { Question, Recordings } from "../../domain/run/Recordings.ts"
import type { RunResult, RunStep } from "../../domain/run/Run.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import { renderActions } from "./RenderActions.ts"
import { type RequestedAction, writeReply } from "../reply/WriteReply.ts"

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
  /** The exhausted resource, when the run ends for review without any effect; null when the run fits its budget. */
  readonly overBudget: BudgetExceeded | null
}

interface Classified {
  readonly classification: Classification | null
  readonly step: RunStep
  readonly wanted: boolean
}

const unclassified = (outcome: RunStep["outcome"], reason: string): Classified => ({
  classification: null,
  step: { step: "classify", outcome, reason },
  wanted: false
})

const classified = (classification: Classification, reason: string): Classified => ({
  classification,
  step: { step: "classify", outcome: "done", reason },
  wanted: false
})

const byModel = ({ message, modelConfigured }: RunSubject, recorded: Recordings["classification"]): Classified => {
  if (unparsedReasonOf(message) !== null) return unclassified("skipped", "the message could not be parsed")
  if (message.auto !== null) return unclassified("skipped", `automatic mail (${message.auto}) is not sent to a model`)
  if (recorded?.outcome === "answered") return classified(recorded.value, `by ${recorded.use.model}`)
  if (recorded !== null) return unclassified(recorded.outcome, recorded.reason)
  if (!modelConfigured) return unclassified("skipped", "LLM provider not configured")
  return { ...unclassified("skipped", "the model has not been called yet"), wanted: true }
}

const classify = (subject: RunSubject, recorded: Recordings["classification"]): Classified => {
  const { message, tenant } = subject
  switch (tenant.config.classifier) {
    case "off":
      return unclassified("skipped", "no classifier is configured")
    case "keywords":
      return classified(classifyByKeywords({ text: message.body, subject: message.subject }), "by keywords")
    case "model":
      return byModel(subject, recorded)
  }
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

const noGuard: RunStep = { step: "guard", outcome: "skipped", reason: "no reply was written" }

/** Computes classification, score and time facts, with which every run begins. */
const begin = (config: CompiledConfig, subject: RunSubject, recordings: Recordings) => {
  const about = classify(subject, recordings.classification)
  return { about, score: scoreSubject(subject, about.classification), time: config.timeAt(subject.now) }
}

type Begun = ReturnType<typeof begin>

const firstSteps = ({ about, score }: Begun): ReadonlyArray<RunStep> => [
  about.step,
  { step: "score", outcome: "done", reason: `${score.score} of 100 is ${score.tier}` }
]

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
  const { about, score, time } = begun
  const { classification } = about
  const facts = factsOf({ ...subject, classification, score, time })
  const { matched, stoppedBy } = yield* evaluateRulesInSlices(config.rules, facts, budget)
  const requested = matched.flatMap(({ ruleId, actions }) =>
    actions.map((action): RequestedAction => ({ ruleId, action }))
  )
  const answer = yield* writeReply(subject, requested, recordings, budget)
  yield* budget.pause
  const { reply } = answer
  const of = { classification, tier: score.tier, time }
  const guarded = reply === null ? null : yield* guardReply(subject, reply, of, config.guardrails(), budget)
  yield* budget.pause
  const question: Question | null = about.wanted ? "classification" : answer.wanted ? "reply" : null
  const stop = stoppedBy === null ? "" : `; rule ${stoppedBy} stopped the rules after it`
  const decision: RunDecision = {
    classification,
    score,
    matchedRules: matched.map(({ ruleId, name }) => ({ ruleId, name })),
    wanted: question === null ? yield* renderActions(subject, requested, budget) : requested,
    written: guarded?.written ?? null,
    steps: [
      ...firstSteps(begun),
      { step: "route", outcome: "done", reason: `${matched.length} rules matched${stop}` },
      answer.step,
      guarded?.step ?? noGuard
    ],
    question,
    overBudget: null
  }
  return decision
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
): RunDecision => {
  const begun = begin(config, subject, recordings)
  return {
    classification: begun.about.classification,
    score: begun.score,
    matchedRules: [],
    wanted: [],
    written: null,
    steps: [
      ...firstSteps(begun),
      { step: "route", outcome: "failed", reason: `the run ends for review: ${overBudget.reason}` },
      { step: "reply", outcome: "suppressed", reason: "the run ends for review" },
      noGuard
    ],
    question: null,
    overBudget
  }
}

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
