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

/** What a run wants done; nothing of it is done yet. */
export interface RunDecision extends Omit<RunResult, "actions" | "reply" | "score"> {
  readonly score: Score
  /** In the order they are to be done; `reply`, `suppress_reply` and `stop` have been heard and are listed too. */
  readonly wanted: ReadonlyArray<RequestedAction>
  /** What a model has to be asked before this is a decision; null: it is one. */
  readonly question: Question | null
  /** What ran out, so that the run ends for review without anything being done; null: it fits its budget. */
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
  if (message.auto !== null) return unclassified("skipped", `no model is shown automatic mail (${message.auto})`)
  if (recorded?.outcome === "answered") return classified(recorded.value, `by ${recorded.use.model}`)
  if (recorded !== null) return unclassified(recorded.outcome, recorded.reason)
  if (!modelConfigured) return unclassified("skipped", "LLM provider not configured")
  return { ...unclassified("skipped", "no model has been asked"), wanted: true }
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

/** The score of a message that is known to be about this. */
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
 * Classification and score of a message on its own, as a run would give them. Nobody is asked: `known` is what a model
 * said of it before, null where it said nothing.
 */
export const assessMessage = (
  subject: RunSubject,
  known: Classification | null = null
): { readonly classification: Classification | null; readonly score: Score } => {
  const { classifier } = subject.tenant.config
  const classification = classifier === "model" ? known : classify(subject, null).classification
  return { classification, score: scoreSubject(subject, classification) }
}

/** The facts that a run's rules were asked about. */
export const factsOfRun = (
  subject: RunSubject,
  { timeAt }: CompiledConfig,
  of: { readonly classification: Classification | null; readonly score: Score | null }
): Facts => factsOf({ ...subject, ...of, time: timeAt(subject.now) })

const noGuard: RunStep = { step: "guard", outcome: "skipped", reason: "no reply was written" }

/** Classification, score and facts of a subject: what every run begins with. */
const begin = (config: CompiledConfig, subject: RunSubject, recordings: Recordings) => {
  const about = classify(subject, recordings.classification)
  return { about, score: scoreSubject(subject, about.classification), time: config.timeAt(subject.now) }
}

type Begun = ReturnType<typeof begin>

const firstSteps = ({ about, score }: Begun): ReadonlyArray<RunStep> => [
  about.step,
  { step: "score", outcome: "done", reason: `${score.score} of 100 is ${score.tier}` }
]

/** Decides within a budget, or fails without having decided anything. */
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
  const stop = stoppedBy === null ? "" : `; rule ${stoppedBy} stopped the rest`
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
 * The decision about a run that does not fit its budget: it is classified and scored, no rule counts as matched, nothing is
 * done and nothing is written to the contact. A person is asked to look.
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
 * Classifies, scores and routes one message, writes its reply and weighs it, with nothing but what it is given: the same
 * again gives the same bytes. What a model has not been asked yet is said in `question`. A run that exceeds its budget is
 * decided for review. No clock is read. The event loop gets turns; `pace` says when it had the last one.
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

/** Decides by the tenant's configuration as it stands. What does not fit the whole budget is decided for review. */
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
 * Decides with the small budget of a unit of work. Fails with `BudgetExceeded` where that is not enough and the whole budget
 * may be: then `decideWithRunBudget` has to be asked, outside of the unit.
 */
export const decideWithUnitBudget = (subject: RunSubject, recordings: Recordings) =>
  runWithUnitBudget(subject.tenant.tenantId, (budget) => deciding(subject, recordings, budget, isOutOfSteps))

/** Decides with the whole budget. Never inside a unit of work. */
export const decideWithRunBudget = (subject: RunSubject, recordings: Recordings) =>
  costly(subject.tenant.tenantId, (budget) => deciding(subject, recordings, budget, () => false)).pipe(
    Effect.catchTag("BudgetExceeded", Effect.die),
    Effect.withSpan("decideWithRunBudget")
  )

/** Decides quickly where that is enough, else costly. Never inside a unit of work. */
export const decideRun = Effect.fn("decideRun")(function* (subject: RunSubject, recordings: Recordings) {
  return yield* Effect.catchTag(decideWithUnitBudget(subject, recordings), "BudgetExceeded", () =>
    decideWithRunBudget(subject, recordings)
  )
})
