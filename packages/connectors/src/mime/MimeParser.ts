import { type Envelope, readEnvelope } from "@leadloom/core/internal/domain/email/MailHeaders"
import type { ParsedMail } from "@leadloom/core/internal/domain/email/ParsedMail"
import { scanMail, maxScannedBytes } from "@leadloom/core/internal/domain/conversation/UnparsedMail"
import { headerDecoding, readableFields } from "./HeaderDecoding.ts"
import { readAttachment, readBody } from "./MimeBody.ts"
import { type Budget, charsetOf, newBudget, readPart } from "./MimeTree.ts"
import { readComplaint, readDeliveryReport } from "./Report.ts"

/**
 * The parser of MIME mail, with limits for hostile input. `postal-mime` decodes encoded words and address lists.
 * `sanitize-html` sanitises HTML with the tokenizer of `htmlparser2`. Not supported: uuencode and yEnc in the text,
 * encrypted content, message/partial and TNEF (`winmail.dat`); such content stays attachment or text. Tests:
 * `packages/connectors/test/mime`.
 */

/** Replaces bare CR line ends, which some old systems write, with line feeds. */
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

/** Parses one raw mail. Never throws; `defects` lists the errors in the input. */
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

/**
 * Returns the content of an attachment; null when there is no such attachment. `index` is its position in the list of
 * `parseMail`. Never throws.
 */
export const attachmentOf = (raw: Uint8Array, index: number): Uint8Array | null => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  try {
    const budget = newBudget()
    return readAttachment(readPart(withLineFeeds(bytes), budget), budget, index)
  } catch {
    return null
  }
}
