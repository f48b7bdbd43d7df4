import { Effect } from "effect"
import { type Score, scoreMessage } from "../../lead/Score.ts"
import type { Classification } from "../model/Classification.ts"
import { type CompiledConfig, CompiledConfigs } from "../rule/CompiledConfigs.ts"
import { evaluateRules } from "../rule/CompileRules.ts"
import { type Facts, factsOf } from "../rule/Fact.ts"
import { guardReply } from "../guard/GuardReply.ts"
import { classifyByKeywords } from "../model/KeywordClassifier.ts"
import type { Question, Recordings } from "./Recordings.ts"
import type { RunResult, RunStep } from "./Run.ts"
import type { RunSubject } from "./RunSubject.ts"
import { type WantedAction, writeReply } from "./WriteReply.ts"

/** What a run wants done; nothing of it is done yet. */
export interface RunDecision extends Omit<RunResult, "actions" | "reply" | "score"> {
  readonly score: Score
  /** In the order they are to be done; `reply`, `suppress_reply` and `stop` have been heard and are listed too. */
  readonly wanted: ReadonlyArray<WantedAction>
  /** What a model has to be asked before this is a decision; null: it is one. */
  readonly question: Question | null
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
export const assess = (
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

/**
 * Classifies, scores and routes one message, writes its reply and weighs it, with nothing but what it is given:
 * the same again gives the same bytes. What a model has not been asked yet is said in `question`.
 */
export const decideWith = Effect.fnUntraced(function* (
  config: CompiledConfig,
  subject: RunSubject,
  recordings: Recordings
) {
  const about = classify(subject, recordings.classification)
  const { classification } = about
  const score = scoreSubject(subject, classification)
  const time = config.timeAt(subject.now)
  const facts = factsOf({ ...subject, classification, score, time })
  const { matched, stoppedBy } = evaluateRules(config.rules, facts)
  const wanted = matched.flatMap(({ ruleId, actions }) => actions.map((action): WantedAction => ({ ruleId, action })))
  const answer = yield* writeReply(subject, wanted, recordings)
  const guarded =
    answer.reply === null ? null : guardReply(subject, answer.reply, { classification, tier: score.tier, time })
  const stop = stoppedBy === null ? "" : `; rule ${stoppedBy} stopped the rest`
  const decision: RunDecision = {
    classification,
    score,
    matchedRules: matched.map(({ ruleId, name }) => ({ ruleId, name })),
    wanted,
    written: guarded?.written ?? null,
    steps: [
      about.step,
      { step: "score", outcome: "done", reason: `${score.score} of 100 is ${score.tier}` },
      { step: "route", outcome: "done", reason: `${matched.length} rules matched${stop}` },
      answer.step,
      guarded?.step ?? noGuard
    ],
    question: about.wanted ? "classification" : answer.wanted ? "reply" : null
  }
  return decision
})

/** The same by the tenant's configuration as it stands. */
export const decideRun = Effect.fn("decideRun")(function* (subject: RunSubject, recordings: Recordings) {
  const config = yield* (yield* CompiledConfigs).of(subject.tenant)
  return yield* decideWith(config, subject, recordings)
})
