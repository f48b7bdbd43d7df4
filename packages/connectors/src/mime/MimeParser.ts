import { type Envelope, readEnvelope } from "@leadloom/core/domain/email/MailHeaders"
import type { ParsedMail } from "@leadloom/core/domain/email/ParsedMail"
import { scanMail, maxScannedBytes } from "@leadloom/core/domain/conversation/UnparsedMail"
import { headerDecoding, readableFields } from "./HeaderDecoding.ts"
import { readAttachment, readBody } from "./MimeBody.ts"
import { type Budget, charsetOf, newBudget, readPart } from "./MimeTree.ts"
import { readComplaint, readDeliveryReport } from "./Report.ts"

/**
 * MIME mail, read by a bounded reader of our own. Encoded words and address lists are `postal-mime`'s, sanitising is
 * `sanitize-html`'s over the tokenizer of `htmlparser2`. Not supported: uuencode and yEnc in the text, encrypted content,
 * message/partial, TNEF (`winmail.dat`): they stay attachments or text.
 */

/** Mail written with bare CR as its line end, as old systems did, gets line feeds. */
const withLineFeeds = (raw: Buffer): Buffer => {
  const start = raw.subarray(0, 65_536)
  if (start.includes(0x0a) || !start.includes(0x0d)) return raw
  const copy = Buffer.from(raw)
  for (let i = 0; i < copy.length; i++) if (copy[i] === 0x0d) copy[i] = 0x0a
  return copy
}

const withDefects = (envelope: Envelope, budget: Budget): Envelope => ({
  ...envelope,
  defects: [...budget.defects, ...envelope.defects]
})

const readMail = (raw: Buffer): ParsedMail => {
  const budget = newBudget()
  const root = readPart(withLineFeeds(raw), budget)
  const envelope = readEnvelope(readableFields(root, charsetOf(root)), headerDecoding)
  const { text, html, attachments, leaves } = readBody(root, budget)
  const report = readDeliveryReport(root, text)
  const complaint = readComplaint(leaves)
  const mail = { ...withDefects(envelope, budget), text, html, attachments, report }
  return complaint === undefined ? mail : { ...mail, complaint }
}

/** Parses one raw mail. Total: it never throws; what is wrong with the input is in `defects`. */
export const parseMail = (raw: Uint8Array): ParsedMail => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  try {
    return readMail(bytes)
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    const unparsed = scanMail(bytes.toString("latin1", 0, maxScannedBytes), "failed", headerDecoding)
    return { ...unparsed, defects: [...unparsed.defects, detail] }
  }
}

/** The content of an attachment of a raw mail, by its place in `parseMail`'s list; null when there is none. Total. */
export const attachmentOf = (raw: Uint8Array, index: number): Uint8Array | null => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  try {
    const budget = newBudget()
    return readAttachment(readPart(withLineFeeds(bytes), budget), budget, index)
  } catch {
    return null
  }
}
