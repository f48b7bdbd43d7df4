import type { Effect } from "effect"
import { Context } from "effect"
import type { MessageId } from "../../domain/Id.ts"
import type { Clearance } from "../../domain/consent/Clearance.ts"
import type { OutgoingText } from "../../domain/conversation/OutgoingText.ts"
import type { TextProgress } from "../../domain/conversation/TextEvent.ts"
import type { ProviderFailure } from "../../domain/provider/ProviderFailure.ts"

/** One text message of a tenant to send. */
export interface TextOrder {
  readonly tenantId: string
  /** The id of the message. The provider's delivery reports contain it. */
  readonly messageId: MessageId
  readonly text: OutgoingText
  /**
   * The paths on this host from which the provider downloads the files of an MMS. They are valid for 15 minutes. Absent
   * if the text has no files.
   */
  readonly mediaPaths?: ReadonlyArray<string>
}

/** The result of an accepted text message: the provider's response, or that of the sandbox. */
export interface TextReceipt {
  /** False when the message did not leave this server, because no provider is configured. */
  readonly left: boolean
  /** The verbatim response of the provider, or the note of the sandbox. */
  readonly response: string
  readonly providerMessageId: string | null
}

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
    /** True if the provider sends files (MMS). A provider without this member sends none. */
    readonly sendsMedia?: boolean
    /** Hands over one text message, once. Never retries. Returns within `handOverMillis`. */
    readonly send: (order: TextOrder, clearance: Clearance) => Effect.Effect<TextReceipt, ProviderFailure>
    /**
     * Lists all text messages in the time range that have the numbers and the text of the order. The caller uses this
     * list after an unknown outcome. The provider's records contain no id of the order, so several messages can match.
     */
    readonly find: (
      order: TextOrder,
      when: TextTimeRange
    ) => Effect.Effect<ReadonlyArray<TextProgress>, ProviderFailure>
    /**
     * Downloads a media file of at most `maxBytes`. Fails with `Refused` or `Gone` when the file no longer exists, is
     * larger, or has a URL outside the provider.
     */
    readonly media: (url: string, maxBytes: number) => Effect.Effect<TextMedia, ProviderFailure>
  }
>()("core/port/provider/SmsProvider") {}
