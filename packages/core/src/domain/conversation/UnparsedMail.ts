import type { Message, MessageFlag } from "./Message.ts"
import { type HeaderDecoding, plainDecoding, readEnvelope, splitHeaders } from "../email/MailHeaders.ts"
import { type MailHeader, type ParsedMail, type UnparsedReason, unparsedReasons } from "../email/ParsedMail.ts"

/**
 * A mail whose content could not be parsed. It is stored all the same: with what a small scan of its headers finds, so that
 * it has a sender, a thread and a place in the conversation, and with its source, from which it can be parsed again.
 */

/** Stands for the text of a message that could not be parsed. */
export const unparsedBody = "(This message could not be parsed. Its source is kept.)"

const flags = {
  deadline: "unparsed_deadline",
  memory: "unparsed_memory",
  failed: "unparsed_failed"
} as const satisfies Record<UnparsedReason, MessageFlag>

const sentences: Readonly<Record<UnparsedReason, string>> = {
  deadline: "The mail could not be parsed in time.",
  memory: "The mail could not be parsed in the memory that a mail may take.",
  failed: "The mail could not be parsed: the parser failed."
}

/** The flag of a message that could not be parsed. */
export const unparsedFlag = (reason: UnparsedReason): MessageFlag => flags[reason]

/** Why a message could not be parsed; null for one that was. */
export const unparsedReasonOf = (message: Pick<Message, "flags">): UnparsedReason | null =>
  unparsedReasons.find((reason) => message.flags.includes(flags[reason])) ?? null

/** Flags of a message without those that say that it could not be parsed. */
export const withoutUnparsed = (given: ReadonlyArray<MessageFlag>): ReadonlyArray<MessageFlag> =>
  given.filter((flag) => unparsedReasons.every((reason) => flags[reason] !== flag))

/** Most bytes of headers scanned, fields kept and characters of one value. The scan runs on the main thread. */
export const maxScannedBytes = 32_768
const scannedFields = 200
const scannedCharacters = 2_000

const scanned = (fields: ReadonlyArray<MailHeader>): ReadonlyArray<MailHeader> =>
  fields.slice(0, scannedFields).map(({ name, value }) => ({ name, value: value.slice(0, scannedCharacters) }))

/** A mail of which only these fields are known. */
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

/** The same of a raw mail, given as Latin-1 characters of its first `maxScannedBytes` bytes. */
export const scanMail = (start: string, reason: UnparsedReason, decoding?: HeaderDecoding): ParsedMail =>
  unparsedMail(splitHeaders(start.slice(0, maxScannedBytes)).fields, reason, decoding)
