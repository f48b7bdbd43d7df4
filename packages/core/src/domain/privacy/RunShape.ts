import { Schema } from "effect"
import { channels } from "../Channel.ts"
import { tiers } from "../lead/Score.ts"
import { Classification } from "../classification/Classification.ts"
import { guardOutcomes } from "../guardrail/Guardrail.ts"
import { Reason } from "../reason/Reason.ts"
import { runSteps } from "../run/Run.ts"

const text = Schema.String
const textOrNull = Schema.NullOr(text)
const texts = Schema.Array(text)
const count = Schema.Finite
/** Epoch milliseconds within the range of a JavaScript `Date`. */
const time = Schema.Finite.check(Schema.isBetween({ minimum: -8.64e15, maximum: 8.64e15 }))

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
  score: Schema.NullOr(
    Schema.Struct({
      score: count,
      tier: Schema.Literals(tiers),
      factors: Schema.Array(Schema.Struct({ name: text, points: count })),
      recommendedActions: texts
    })
  ),
  matchedRules: Schema.Array(Schema.Struct({ ruleId: text, name: text })),
  actions: Schema.Array(
    Schema.Struct({ type: text, ruleId: text, outcome: Schema.Literals(["done", "skipped"]), reason: text })
  ),
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
  reply: Schema.NullOr(Schema.Struct({ text, channel: text, requiresApproval: Schema.Boolean })),
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

const Inputs = Schema.Struct({
  tenantName: text,
  contact: Schema.Struct({ company: textOrNull, email: textOrNull, name: textOrNull, phone: textOrNull, tags: texts }),
  contactIsNew: Schema.Boolean,
  lead: Schema.NullOr(Schema.Struct({ assignee: textOrNull, createdAt: time, source: text, state: text })),
  leadIsNew: Schema.Boolean,
  overtaken: Schema.Boolean,
  repliesToday: Schema.Int,
  lastByPersonAt: Schema.NullOr(time),
  modelConfigured: Schema.Boolean,
  now: time,
  outOfTime: Schema.optionalKey(Schema.Literal(true))
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
  inputs: Schema.NullOr(Inputs),
  recordings: Schema.NullOr(Recordings)
}
