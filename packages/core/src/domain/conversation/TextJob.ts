import type { MessageId } from "../Id.ts"
import type { TextMediaReference } from "./TextEvent.ts"

/** A job at the SMS provider. */
export type TextJob =
  /**
   * Checks whether the provider has sent a text whose result is unknown. The text was handed over at about `at` (epoch
   * milliseconds). If a server failed, the exact time is not known, and the text was handed over between `since` and
   * `at`.
   */
  | { readonly kind: "find_text"; readonly messageId: MessageId; readonly at: number; readonly since?: number }
  /** Downloads the attachments of a text and stores them. */
  | { readonly kind: "fetch_media"; readonly messageId: MessageId; readonly media: ReadonlyArray<TextMediaReference> }

/**
 * The delay before the first check for a text, in milliseconds, and the maximum number of checks. The delay grows with
 * each check. If the last check does not find the text, a person decides.
 */
export const findTextMillis = 60_000
export const maxFindTextAttempts = 6

/** Returns the id of the only job that checks for this text. */
export const findTextId = (messageId: MessageId): string => `find_text:${messageId}`

/** Returns the id of the only job that downloads the attachments of this text. */
export const fetchMediaId = (messageId: MessageId): string => `fetch_media:${messageId}`

/** The size limit of one attachment of a text, in bytes. No mobile network transmits larger ones. */
export const maxMediaBytes = 16 * 1_048_576

/** The limit of attachments per text (Twilio's limit). */
export const maxMediaItems = 10
