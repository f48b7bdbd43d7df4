import type { MessageId } from "../Id.ts"

/** The progress of an outbound text. */
export type TextState = "queued" | "sent" | "delivered" | "undelivered" | "failed"

/** A provider's report on an outbound text. */
export interface TextProgress {
  readonly providerMessageId: string
  readonly state: TextState
  /** The provider's reason for a failed delivery; null if it gives none. */
  readonly reason: string | null
  /**
   * The consequence of the report for the contact's number. `opted_out`: the contact has told the provider to block
   * this sender number. `unreachable`: the number can never receive texts. Null if there is no consequence.
   */
  readonly about: "opted_out" | "unreachable" | null
}

/** A reference to an attachment of an inbound text. The provider stores the attachment. */
export interface TextMediaReference {
  readonly url: string
  readonly contentType: string
}

/** An inbound text. */
export interface TextArrived {
  readonly _tag: "TextArrived"
  readonly providerMessageId: string
  /** The sender as the provider reports it: a number, a short code or a name. */
  readonly from: string
  readonly to: string
  readonly body: string
  readonly media: ReadonlyArray<TextMediaReference>
  /** The consent request that the provider has detected and answered. Null if there is none. */
  readonly requested: "stop" | "start" | "help" | null
  /** Further fields of the report, unchanged. */
  readonly details: Readonly<Record<string, string>>
}

/** A changed delivery state of an outbound text. */
export interface TextMoved extends TextProgress {
  readonly _tag: "TextMoved"
  readonly tenantId: string
  readonly messageId: MessageId
}
