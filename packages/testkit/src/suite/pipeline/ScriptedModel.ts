import type { Classification } from "@leadloom/core/domain/classification/Classification"
import { ModelFailed, type ModelUse } from "@leadloom/core/domain/classification/Model"
import { Classifier, type MessageToClassify } from "@leadloom/core/port/provider/Classifier"
import { ReplyWriter, type ReplyToWrite } from "@leadloom/core/port/provider/ReplyWriter"
import { Effect, Layer } from "effect"

/** What one answer of the scripted model costs. */
export const use: ModelUse = { model: "scripted", calls: 1, inputTokens: 100, outputTokens: 20 }

/** What the scripted model makes of a message unless a test says otherwise. */
export const pricing: Classification = {
  intent: "pricing",
  urgency: "medium",
  sentiment: "neutral",
  summary: "Asks for a price.",
  confidence: 0.9
}

/** A model that is away for a while. */
export const away = new ModelFailed({ reason: "529 overloaded", later: true, retryAfterMillis: null, use: null })

/** A model that will never answer this. */
export const refused = new ModelFailed({ reason: "it refused", later: false, retryAfterMillis: null, use })

/** What a model says to one question. An effect: it may take its time, fail, or have something happen meanwhile. */
export interface Script {
  classify: (message: MessageToClassify) => Effect.Effect<Classification, ModelFailed>
  write: (reply: ReplyToWrite) => Effect.Effect<string, ModelFailed>
  /** What was asked, in order. */
  readonly requested: Array<"classify" | "write">
  /** What replies were written from. */
  readonly replies: Array<ReplyToWrite>
}

/** A script that answers everything. */
export const defaultScript = (): Script => ({
  classify: () => Effect.succeed(pricing),
  write: () => Effect.succeed("We come on Monday and have a look."),
  requested: [],
  replies: []
})

/** A language model that says what a test has written down for it. */
export const scriptedModel = (script: () => Script): Layer.Layer<Classifier | ReplyWriter> =>
  Layer.mergeAll(
    Layer.succeed(Classifier, {
      configured: true,
      coversHipaa: false,
      classify: (message) =>
        Effect.suspend(() => {
          script().requested.push("classify")
          return Effect.map(script().classify(message), (classification) => ({ classification, use }))
        })
    }),
    Layer.succeed(ReplyWriter, {
      configured: true,
      coversHipaa: false,
      write: (reply) =>
        Effect.suspend(() => {
          script().requested.push("write")
          script().replies.push(reply)
          return Effect.map(script().write(reply), (text) => ({ text, use }))
        })
    })
  )
