import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { MessageId } from "../../domain/Id.ts"
import type { Clearance } from "../../domain/consent/Clearance.ts"
import type { OutgoingText } from "../../domain/conversation/OutgoingText.ts"
import type { TextProgress } from "../../domain/conversation/TextEvent.ts"
import type { OutcomeUnknown } from "./EmailTransport.ts"

/** One text of a tenant that is to go. */
export interface TextOrder {
  readonly tenantId: string
  /** The provider tells what becomes of it under this. */
  readonly messageId: MessageId
  readonly text: OutgoingText
}

/** What a provider said when it took a text. */
export interface TextReceipt {
  /** False: nothing left this machine, because nothing is configured to send with. */
  readonly left: boolean
  /** Its own words. */
  readonly response: string
  readonly providerMessageId: string | null
}

/** Refused for good: the same text will be refused again. */
export class TextRefused extends Data.TaggedError("TextRefused")<{
  readonly reason: string
  /** What it tells about the number; null: nothing. */
  readonly about: TextProgress["about"]
}> {}

/** Certainly not handed over, and may be tried again. */
export class TextUnavailable extends Data.TaggedError("TextUnavailable")<{
  readonly reason: string
  /** How long to wait at least, milliseconds; null: the provider did not say. */
  readonly retryAfterMillis: number | null
}> {}

export type TextFailure = TextRefused | TextUnavailable | OutcomeUnknown

/** A picture or the like that came with a text. */
export interface TextMedia {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** When a text may have been taken, first and last, epoch milliseconds. */
export interface TextTimeRange {
  readonly since: number
  readonly until: number
}

/** Carries texts away, through the operator's account. */
export class SmsProvider extends Context.Service<
  SmsProvider,
  {
    /** False: there is no account, and texts are kept without leaving. */
    readonly configured: boolean
    /** Hands one text over, once: it never tries again by itself. Comes back within `handOverMillis`. */
    readonly send: (order: TextOrder, clearance: Clearance) => Effect.Effect<TextReceipt, TextFailure>
    /**
     * Looks for a text that may have been taken at about some time: every one with its numbers and its words from then, for
     * the provider does not say which is which.
     */
    readonly find: (
      order: TextOrder,
      when: TextTimeRange
    ) => Effect.Effect<ReadonlyArray<TextProgress>, TextRefused | TextUnavailable>
    /** Fetches what came with a text, up to `longest` bytes. Refused: it is gone, longer, or at no place of the provider's. */
    readonly media: (url: string, maxBytes: number) => Effect.Effect<TextMedia, TextRefused | TextUnavailable>
  }
>()("core/port/provider/SmsProvider") {}
