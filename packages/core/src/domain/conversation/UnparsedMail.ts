import type { Message, MessageFlag } from "./Message.ts"
import { type HeaderDecoding, plainDecoding, readEnvelope, splitHeaders } from "../email/MailHeaders.ts"
import { type MailHeader, type ParsedMail, type UnparsedReason, unparsedReasons } from "../email/ParsedMail.ts"

/**
 * Mail whose content could not be parsed. It is stored with a fixed text as its body. A short scan of its headers
 * supplies the sender, the thread and the place in the conversation. The mail can be parsed again from its stored
 * source.
 */

/** The body of a message that could not be parsed. */
export const unparsedBody = "(This message could not be parsed. Its source is kept.)"

const flags = {
  deadline: "unparsed_deadline",
  memory: "unparsed_memory",
  failed: "unparsed_failed"
} as const satisfies Record<UnparsedReason, MessageFlag>

const sentences: Readonly<Record<UnparsedReason, string>> = {
  deadline: "The mail could not be parsed in time.",
  memory: "The mail could not be parsed within the memory limit.",
  failed: "The mail could not be parsed: the parser failed."
}

/** Returns the flag for the reason why a message could not be parsed. */
export const unparsedFlag = (reason: UnparsedReason): MessageFlag => flags[reason]

/** Returns the reason why a message could not be parsed; null for a parsed message. */
export const unparsedReasonOf = (message: Pick<Message, "flags">): UnparsedReason | null =>
  unparsedReasons.find((reason) => message.flags.includes(flags[reason])) ?? null

/** Removes the flags of unparsed messages. */
export const withoutUnparsed = (given: ReadonlyArray<MessageFlag>): ReadonlyArray<MessageFlag> =>
  given.filter((flag) => unparsedReasons.every((reason) => flags[reason] !== flag))

/**
 * The limits of the header scan: bytes, number of fields, and characters per value. The limits are low, because the
 * scan blocks the main thread.
 */
export const maxScannedBytes = 32_768
const scannedFields = 200
const scannedCharacters = 2_000

const scanned = (fields: ReadonlyArray<MailHeader>): ReadonlyArray<MailHeader> =>
  fields.slice(0, scannedFields).map(({ name, value }) => ({ name, value: value.slice(0, scannedCharacters) }))

/** Builds an unparsed mail from its header fields. */
export const unparsedMail = (
  fields: ReadonlyArray<MailHeader>,
  reason: UnparsedReason,
  decoding: HeaderDecoding = plainDecoding
): ParsedMail => {
  const envelope = readEnvelope(scanned(fields), decoding)
  return {
    ...envelope,
    text: unparsedBody,
    html: null,
    attachments: [],
    report: null,
    unparsed: reason,
    defects: [sentences[reason], ...envelope.defects]
  }
}

/**
 * Builds an unparsed mail from the start of its source. `start` contains the first `maxScannedBytes` bytes as Latin-1
 * characters.
 */
export const scanMail = (start: string, reason: UnparsedReason, decoding?: HeaderDecoding): ParsedMail =>
  unparsedMail(splitHeaders(start.slice(0, maxScannedBytes)).fields, reason, decoding)
