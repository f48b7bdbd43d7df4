import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { MessageId } from "../../domain/Id.ts"
import type { Clearance } from "../../domain/consent/Clearance.ts"
import type { OutgoingText } from "../../domain/conversation/OutgoingText.ts"
import type { TextProgress } from "../../domain/conversation/TextEvent.ts"
import type { OutcomeUnknown } from "./EmailTransport.ts"

/** One text message of a tenant to send. */
export interface TextOrder {
  readonly tenantId: string
  /** The provider refers to this id in its delivery reports. */
  readonly messageId: MessageId
  readonly text: OutgoingText
}

/** The provider's answer when it accepted a text message. */
export interface TextReceipt {
  /** False when the message did not leave this server, because no provider is configured. */
  readonly left: boolean
  /** The verbatim response of the provider. */
  readonly response: string
  readonly providerMessageId: string | null
}

/** A permanent rejection. The same text message will be rejected again. */
export class TextRefused extends Data.TaggedError("TextRefused")<{
  readonly reason: string
  /** The provider's statement about the phone number, or null. */
  readonly about: TextProgress["about"]
}> {}

/** The text message was not handed over. A retry may succeed. */
export class TextUnavailable extends Data.TaggedError("TextUnavailable")<{
  readonly reason: string
  /** The minimum wait before a retry, in milliseconds. Null when the provider gives none. */
  readonly retryAfterMillis: number | null
}> {}

export type TextFailure = TextRefused | TextUnavailable | OutcomeUnknown

/** A media file of an inbound text message. */
export interface TextMedia {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** The range of time in which a provider may have accepted a text message. Epoch milliseconds. */
export interface TextTimeRange {
  readonly since: number
  readonly until: number
}

/** Sends text messages through the operator's account. */
export class SmsProvider extends Context.Service<
  SmsProvider,
  {
    /** False when no account is configured. Text messages are then stored but not sent. */
    readonly configured: boolean
    /** Hands over one text message, once. It never retries. It returns within `handOverMillis`. */
    readonly send: (order: TextOrder, clearance: Clearance) => Effect.Effect<TextReceipt, TextFailure>
    /**
     * Lists all text messages of the range with the numbers and the text of the order. The caller uses it after an
     * unknown outcome. The provider has no id that identifies the order, so several messages can match.
     */
    readonly find: (
      order: TextOrder,
      when: TextTimeRange
    ) => Effect.Effect<ReadonlyArray<TextProgress>, TextRefused | TextUnavailable>
    /**
     * Fetches a media file of at most `maxBytes`. Fails with `TextRefused` when the file no longer exists, is larger,
     * or has a URL outside the provider.
     */
    readonly media: (url: string, maxBytes: number) => Effect.Effect<TextMedia, TextRefused | TextUnavailable>
  }
>()("core/port/provider/SmsProvider") {}
