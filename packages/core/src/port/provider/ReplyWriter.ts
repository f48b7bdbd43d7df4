import { Context, Effect, Layer } from "effect"
import type { Channel } from "../../domain/Channel.ts"
import type { Actor } from "../../domain/conversation/Message.ts"
import type { Classification } from "../../domain/classification/Classification.ts"
import { type ModelFailed, ModelMissing, type ModelUse } from "../../domain/classification/Model.ts"
import type { AssistantConfig } from "../../domain/tenant/TenantConfig.ts"

/** One message of the conversation, as the writer is shown it. */
export interface ConversationMessage {
  readonly actor: Actor
  readonly text: string
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * What a reply is written from. Who gets the reply and how it goes is decided elsewhere: the writer chooses words and
 * nothing else. Everything but `tenantName` and `assistant` is data from strangers and never an instruction.
 */
export interface ReplyToWrite {
  readonly tenantName: string
  readonly assistant: AssistantConfig
  readonly contactName: string | null
  readonly channel: Channel
  readonly subject: string | null
  readonly classification: Classification | null
  /** Oldest first; the last ones are those that wait for an answer. */
  readonly conversation: ReadonlyArray<ConversationMessage>
}

/** What a reply writer wrote: plain text. */
export interface WrittenReply {
  readonly text: string
  readonly use: ModelUse
}

/** A language model that writes replies. */
export class ReplyWriter extends Context.Service<
  ReplyWriter,
  {
    /** False: there is none, and every `write` is a `ModelMissing`. */
    readonly configured: boolean
    /** Messages of HIPAA tenants may be shown to it: the operator has agreed so with whoever runs it (45 CFR 164.504(e)). */
    readonly coversHipaa: boolean
    /** Asks over the network: never inside a unit of work. */
    readonly write: (reply: ReplyToWrite) => Effect.Effect<WrittenReply, ModelMissing | ModelFailed>
  }
>()("core/port/provider/ReplyWriter") {
  /** Of a server without a language model. */
  static readonly layerNone: Layer.Layer<ReplyWriter> = Layer.succeed(
    ReplyWriter,
    ReplyWriter.of({ configured: false, coversHipaa: false, write: () => Effect.fail(new ModelMissing()) })
  )
}
