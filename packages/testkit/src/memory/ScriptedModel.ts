import type { Classification } from "@leadloom/core/internal/domain/classification/Classification"
import { ModelFailed, type ModelUse } from "@leadloom/core/internal/domain/classification/Model"
import { Classifier, type MessageToClassify } from "@leadloom/core/internal/port/provider/Classifier"
import { ReplyWriter, type ReplyToWrite } from "@leadloom/core/internal/port/provider/ReplyWriter"
import { Effect, Layer } from "effect"

/** The usage of one answer of the scripted model. */
export const use: ModelUse = { model: "scripted", calls: 1, inputTokens: 100, outputTokens: 20 }

/** The default classification of the scripted model. */
export const pricing: Classification = {
  intent: "pricing",
  urgency: "medium",
  sentiment: "neutral",
  summary: "Asks for a price.",
  confidence: 0.9
}

/** A temporary failure of the model. */
export const away = new ModelFailed({ reason: "529 overloaded", later: true, retryAfterMillis: null, use: null })

/** A permanent failure of the model. */
export const refused = new ModelFailed({ reason: "it refused", later: false, retryAfterMillis: null, use })

/** Returns the model's answer to a request. The answer is an effect, so it may be slow, fail, or do other work. */
export interface Script {
  classify: (message: MessageToClassify) => Effect.Effect<Classification, ModelFailed>
  write: (reply: ReplyToWrite) => Effect.Effect<string, ModelFailed>
  /** The requests so far, in order. */
  readonly requested: Array<"classify" | "write">
  /** The inputs of written replies. */
  readonly replies: Array<ReplyToWrite>
}

/** Returns a script with default answers to all requests. */
export const defaultScript = (): Script => ({
  classify: () => Effect.succeed(pricing),
  write: () => Effect.succeed("We come on Monday and have a look."),
  requested: [],
  replies: []
})

/** A language model that follows a test's script. */
export const scriptedModel = (script: Script): Layer.Layer<Classifier | ReplyWriter> =>
  Layer.mergeAll(
    Layer.succeed(Classifier, {
      configured: true,
      coversHipaa: false,
      classify: (message) =>
        Effect.suspend(() => {
          script.requested.push("classify")
          return Effect.map(script.classify(message), (classification) => ({ classification, use }))
        })
    }),
    Layer.succeed(ReplyWriter, {
      configured: true,
      coversHipaa: false,
      write: (reply) =>
        Effect.suspend(() => {
          script.requested.push("write")
          script.replies.push(reply)
          return Effect.map(script.write(reply), (text) => ({ text, use }))
        })
    })
  )
