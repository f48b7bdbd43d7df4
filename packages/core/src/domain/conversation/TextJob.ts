import type { MessageId } from "../Id.ts"
import type { TextMediaReference } from "./TextEvent.ts"

/** Something to be done at the provider of texts. */
export type TextJob =
  /**
   * Look whether a text went that may have been taken at about `at` (epoch milliseconds), or at any time from `since` to
   * then: whose server died is known of no sooner than somebody comes back.
   */
  | { readonly kind: "find_text"; readonly messageId: MessageId; readonly at: number; readonly since?: number }
  /** Fetch what came with a text and keep it as its attachments. */
  | { readonly kind: "fetch_media"; readonly messageId: MessageId; readonly media: ReadonlyArray<TextMediaReference> }

/** A text is looked for after a minute, and after growing waits up to this many times; then a person is asked. */
export const findTextMillis = 60_000
export const maxFindTextAttempts = 6

/** The one job that looks for this text. */
export const findTextId = (messageId: MessageId): string => `find_text:${messageId}`

/** The one job that fetches what came with this text. */
export const fetchMediaId = (messageId: MessageId): string => `fetch_media:${messageId}`

/** Bytes of one attachment of a text at most: more than any network carries. */
export const maxMediaBytes = 16 * 1_048_576

/** Attachments of one text at most (as many as Twilio lets through). */
export const maxMediaItems = 10
