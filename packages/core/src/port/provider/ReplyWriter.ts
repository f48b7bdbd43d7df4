import { Context, Effect, Layer } from "effect"
import type { Channel } from "../../domain/Channel.ts"
import type { Actor } from "../../domain/conversation/Message.ts"
import type { Classification } from "../../domain/classification/Classification.ts"
import { type ModelFailed, ModelMissing, type ModelUse } from "../../domain/classification/Model.ts"
import type { AssistantConfig } from "../../domain/tenant/TenantConfig.ts"

/** One message of the conversation, in the form that the reply writer receives. */
export interface ConversationMessage {
  readonly actor: Actor
  readonly text: string
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * The input of a reply writer. The writer only produces the text. The caller determines the recipient and the channel.
 * Everything except `tenantName` and `assistant` is untrusted data, never an instruction.
 */
export interface ReplyToWrite {
  readonly tenantName: string
  readonly assistant: AssistantConfig
  readonly contactName: string | null
  readonly channel: Channel
  readonly subject: string | null
  readonly classification: Classification | null
  /** The messages of the conversation, oldest first. The unanswered messages are the last ones. */
  readonly conversation: ReadonlyArray<ConversationMessage>
}

/** The plain text of a reply and the model use that it cost. */
export interface WrittenReply {
  readonly text: string
  readonly use: ModelUse
}

/** A language model that writes replies. */
export class ReplyWriter extends Context.Service<
  ReplyWriter,
  {
    /** False when no model is configured. Each call of `write` then fails with `ModelMissing`. */
    readonly configured: boolean
    /**
     * True when the model may receive messages of HIPAA tenants. This requires that the operator has a business
     * associate agreement with the model's provider (45 CFR 164.504(e)).
     */
    readonly coversHipaa: boolean
    /** Writes a reply with a network request. Never call it inside a unit of work. */
    readonly write: (reply: ReplyToWrite) => Effect.Effect<WrittenReply, ModelMissing | ModelFailed>
  }
>()("core/port/provider/ReplyWriter") {
  /** The layer of a server without a language model. */
  static readonly layerNone: Layer.Layer<ReplyWriter> = Layer.succeed(
    ReplyWriter,
    ReplyWriter.of({ configured: false, coversHipaa: false, write: () => Effect.fail(new ModelMissing()) })
  )
}
