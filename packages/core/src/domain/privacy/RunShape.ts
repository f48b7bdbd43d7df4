import { Schema } from "effect"
import { channels } from "../Channel.ts"
import { Score } from "../lead/Score.ts"
import { Classification } from "../classification/Classification.ts"
import { guardOutcomes } from "../guardrail/Guardrail.ts"
import { Reason } from "../reason/Reason.ts"
import { MatchedRule, RunAction, RunReply, runSteps } from "../run/Run.ts"
import { RunInputs } from "../run/RunSubject.ts"

const text = Schema.String
const texts = Schema.Array(text)

/** A reason as data, next to its text. Runs of early versions have the text only. */
const reasonData = Schema.optionalKey(Reason)

const Verdict = Schema.Struct({
  guardrailId: text,
  kind: text,
  outcome: Schema.Literals(guardOutcomes),
  reason: text,
  reasonData
})

const Result = Schema.Struct({
  classification: Schema.NullOr(Classification),
  score: Schema.NullOr(Score),
  matchedRules: Schema.Array(MatchedRule),
  actions: Schema.Array(RunAction),
  written: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        text,
        channel: Schema.Literals(channels),
        mode: Schema.Literals(["draft", "auto"]),
        outcome: Schema.Literals(guardOutcomes),
        evaluations: Schema.Array(Verdict)
      })
    )
  ),
  reply: Schema.NullOr(RunReply),
  steps: Schema.Array(
    Schema.Struct({
      step: Schema.Literals(runSteps),
      outcome: Schema.Literals(["done", "skipped", "suppressed", "failed"]),
      reason: text,
      reasonData,
      afterwards: Schema.optionalKey(text),
      afterwardsData: reasonData
    })
  )
})

const Use = Schema.Struct({ model: text, calls: Schema.Int, inputTokens: Schema.Int, outputTokens: Schema.Int })

const recorded = <A extends Schema.Top>(value: A) =>
  Schema.NullOr(
    Schema.Union([
      Schema.Struct({ outcome: Schema.Literal("answered"), value, use: Use }),
      Schema.Struct({ outcome: Schema.Literal("failed"), reason: text, use: Schema.NullOr(Use) }),
      Schema.Struct({ outcome: Schema.Literal("skipped"), reason: text, reasonData })
    ])
  )

const Recordings = Schema.Struct({
  classification: recorded(Classification),
  reply: recorded(Schema.Struct({ text, concerns: texts, concernsData: Schema.optionalKey(Schema.Array(Reason)) }))
})

/** The JSON columns of a run. Runs of early versions have neither `inputs` nor `recordings`. */
export const runShapes = {
  result: Result,
  inputs: Schema.NullOr(RunInputs),
  recordings: Schema.NullOr(Recordings)
}
