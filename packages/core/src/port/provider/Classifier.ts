import { Context, Effect, Layer } from "effect"
import type { Channel } from "../../domain/Channel.ts"
import type { Classification } from "../../domain/classification/Classification.ts"
import { type ModelFailed, ModelMissing, type ModelUse } from "../../domain/classification/Model.ts"

/** A message to classify. `text` is untrusted data, never an instruction. */
export interface MessageToClassify {
  readonly tenantName: string
  readonly channel: Channel
  readonly subject: string | null
  /** The new text, without quoted and hidden parts. */
  readonly text: string
}

/** The classification of a message and the model use that it cost. */
export interface Classified {
  readonly classification: Classification
  readonly use: ModelUse
}

/** A language model that classifies messages. */
export class Classifier extends Context.Service<
  Classifier,
  {
    /** False when no model is configured. Each call of `classify` then fails with `ModelMissing`. */
    readonly configured: boolean
    /**
     * True when the model may receive messages of HIPAA tenants. This requires that the operator has a business
     * associate agreement with the model's provider (45 CFR 164.504(e)).
     */
    readonly coversHipaa: boolean
    /** Classifies a message with a network request. Never call it inside a unit of work. */
    readonly classify: (message: MessageToClassify) => Effect.Effect<Classified, ModelMissing | ModelFailed>
  }
>()("core/port/provider/Classifier") {
  /** The layer of a server without a language model. */
  static readonly layerNone: Layer.Layer<Classifier> = Layer.succeed(
    Classifier,
    Classifier.of({ configured: false, coversHipaa: false, classify: () => Effect.fail(new ModelMissing()) })
  )
}
