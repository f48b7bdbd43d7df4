import { Context, Effect, Layer } from "effect"
import type { Channel } from "../../domain/Channel.ts"
import type { Classification } from "../../domain/classification/Classification.ts"
import { type ModelFailed, ModelMissing, type ModelUse } from "../../domain/classification/Model.ts"

/** A message to be classified. Its text is data from a stranger and never an instruction. */
export interface MessageToClassify {
  readonly tenantName: string
  readonly channel: Channel
  readonly subject: string | null
  /** The visible new text. */
  readonly text: string
}

/** What a classifier made of a message. */
export interface Classified {
  readonly classification: Classification
  readonly use: ModelUse
}

/** A language model that says what a message is about. */
export class Classifier extends Context.Service<
  Classifier,
  {
    /** False: there is none, and every `classify` is a `ModelMissing`. */
    readonly configured: boolean
    /** Messages of HIPAA tenants may be shown to it: the operator has agreed so with whoever runs it (45 CFR 164.504(e)). */
    readonly coversHipaa: boolean
    /** Asks over the network: never inside a unit of work. */
    readonly classify: (message: MessageToClassify) => Effect.Effect<Classified, ModelMissing | ModelFailed>
  }
>()("core/port/provider/Classifier") {
  /** Of a server without a language model. */
  static readonly layerNone: Layer.Layer<Classifier> = Layer.succeed(
    Classifier,
    Classifier.of({ configured: false, coversHipaa: false, classify: () => Effect.fail(new ModelMissing()) })
  )
}
