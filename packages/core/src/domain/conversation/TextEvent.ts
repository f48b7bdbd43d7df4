import type { MessageId } from "../Id.ts"

/** How far a text of ours has come. */
export type TextState = "queued" | "sent" | "delivered" | "undelivered" | "failed"

/** What a provider tells of one text of ours. */
export interface TextProgress {
  readonly providerMessageId: string
  readonly state: TextState
  /** Why it did not arrive, in the provider's words; null where it says nothing. */
  readonly reason: string | null
  /**
   * What that says of the number: `opted_out`, its holder has told the provider to let nothing through from this number
   * of ours; `unreachable`, no text will ever arrive there. Null: nothing.
   */
  readonly about: "opted_out" | "unreachable" | null
}

/** A picture or the like that came with a text, still at the provider's. */
export interface TextMediaReference {
  readonly url: string
  readonly contentType: string
}

/** A text that somebody wrote to a number of ours. */
export interface TextArrived {
  readonly _tag: "TextArrived"
  readonly providerMessageId: string
  /** As the provider writes it: a number, a short code or a name. */
  readonly from: string
  readonly to: string
  readonly body: string
  readonly media: ReadonlyArray<TextMediaReference>
  /** What the provider has made of it and answered by itself; null: nothing. */
  readonly requested: "stop" | "start" | "help" | null
  /** What else it tells, as it came. */
  readonly details: Readonly<Record<string, string>>
}

/** What became of a text of ours. */
export interface TextMoved extends TextProgress {
  readonly _tag: "TextMoved"
  readonly tenantId: string
  readonly messageId: MessageId
}
