import { isEmail, normalizeEmail, parseAddressList } from "@leadloom/core/internal/domain/address/Address"
import { splitHeaders } from "@leadloom/core/internal/domain/email/MailHeaders"
import type {
  Complaint,
  DeliveryReport,
  DeliveryStatus,
  MailHeader
} from "@leadloom/core/internal/domain/email/ParsedMail"
import { visibleLine } from "@leadloom/core/internal/domain/email/VisibleText"
import { type MimePart, newBudget, readPart } from "./MimeTree.ts"
import { isFromMailSystem, readTextReport } from "./TextReport.ts"
import { decodeBase64, decodeTransfer } from "./TransferEncoding.ts"

/** The maximum number of bytes read from one machine-readable part, and of recipients in one report. */
const reportBytesRead = 262_144
const recipientsRead = 500
/**
 * The maximum depth of attached messages that are searched for a report, and the maximum number of bytes read from one
 * of them.
 */
const deepestReport = 3
const nestedBytesRead = 1_048_576

/** The prefixes of actions (RFC 3464 section 2.3.3). Some reporters write `failure` or `Delayed (will retry)`. */
const actions = [
  ["fail", "failed"],
  ["delay", "delayed"],
  ["deliver", "delivered"],
  ["relay", "relayed"],
  ["expand", "expanded"]
] as const

/** The action of a report that states none. It depends on the class of the report's status (RFC 3463 section 3.1). */
const actionOfClass: Readonly<Record<string, DeliveryStatus["action"]>> = { 2: "delivered", 4: "delayed", 5: "failed" }

const bodyOf = (part: MimePart): Buffer => decodeTransfer(part.body, part.encoding, reportBytesRead)

const valueOf = (fields: ReadonlyArray<MailHeader>, name: string): string =>
  visibleLine(fields.find((field) => field.name === name)?.value ?? "")

/** An address with a hidden or internal host: `jo@removed` in an anonymised report. */
const hiddenHost = /^[^\s@<>]{1,64}@[^\s@<>]{1,189}$/u

/** Decodes the characters of an internationalised address in an ASCII report (RFC 6533 section 3): `\x{E9}`. */
const unescaped = (value: string): string =>
  value.replace(/\\x\{([0-9A-F]{1,6})\}/giu, (whole, code: string) => {
    const point = Number.parseInt(code, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })

/**
 * Returns the address in a field such as `rfc822; <a@b>` (RFC 3464 section 2.3.2); an empty text when the address is
 * invalid.
 */
const addressIn = (value: string): string => {
  const email = normalizeEmail(unescaped(value.replace(/^[\w-]+\s*;/u, "")))
  return isEmail(email) || hiddenHost.test(email) ? email : ""
}

/** Splits fields into blocks at blank lines. Decodes a block that a relay has encoded in base64. */
const blocksOf = (text: string): ReadonlyArray<ReadonlyArray<MailHeader>> => {
  const blocks: Array<ReadonlyArray<MailHeader>> = []
  for (const chunk of text.split(/\r?\n(?:[ \t]*\r?\n)+/u).slice(0, recipientsRead * 8)) {
    const encoded = valueOf(blocks[blocks.length - 1] ?? [], "content-transfer-encoding").toLowerCase() === "base64"
    const readable =
      encoded && !chunk.includes(":") ? decodeBase64(Buffer.from(chunk, "latin1")).toString("latin1") : chunk
    blocks.push(splitHeaders(readable.trimStart()).fields)
  }
  return blocks
}

const isRecipientField = ({ name }: MailHeader): boolean => name === "final-recipient" || name === "original-recipient"

/**
 * Groups fields by recipient (RFC 3464 section 2.1). Blank lines do not separate recipients reliably: some mail systems
 * write them between the fields of one recipient, or omit them between two recipients. A recipient field therefore
 * starts a new group in two situations: the current group already has this field, or it has a final recipient and an
 * action or a status.
 */
const groupsOf = (fields: ReadonlyArray<MailHeader>): ReadonlyArray<ReadonlyArray<MailHeader>> => {
  const groups: Array<Array<MailHeader>> = []
  let group: Array<MailHeader> = []
  let names = new Set<string>()
  for (const field of fields) {
    const opens =
      isRecipientField(field) &&
      (names.has(field.name) || (names.has("final-recipient") && (names.has("action") || names.has("status"))))
    if (opens) {
      groups.push(group)
      group = []
      names = new Set()
    }
    group.push(field)
    names.add(field.name)
  }
  return [...groups, group].slice(0, recipientsRead)
}

/**
 * Reads the status of one group. `onlyRecipient` is the recipient of the original mail; it is used if the report hides
 * the address.
 */
const statusOf = (fields: ReadonlyArray<MailHeader>, onlyRecipient: string): ReadonlyArray<DeliveryStatus> => {
  const diagnostic = valueOf(fields, "diagnostic-code").replace(/^[\w-]+\s*;\s*/u, "") || null
  const code = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/u
  const status = code.exec(valueOf(fields, "status"))?.[0] ?? code.exec(diagnostic ?? "")?.[0] ?? null
  const word = valueOf(fields, "action").toLowerCase()
  const byClass = actionOfClass[(status ?? /^[245]\d\d\b/u.exec(diagnostic ?? "")?.[0] ?? "")[0] ?? ""]
  const action = actions.find(([stem]) => word.startsWith(stem))?.[1] ?? byClass
  // The original recipient is the address to which this server sent the mail. The final recipient may be a forwarding
  // address.
  const named = addressIn(valueOf(fields, "original-recipient")) || addressIn(valueOf(fields, "final-recipient"))
  const recipient = named || (fields.some(isRecipientField) ? onlyRecipient : "")
  return action === undefined || recipient === "" ? [] : [{ recipient, action, status, diagnostic }]
}

const originalTypes = new Set([
  "message/rfc822",
  "text/rfc822-headers",
  "text/rfc822-header",
  "message/rfc822-headers",
  "message/global",
  "message/global-headers"
])

/** The original mail inside a report: its raw Message-ID, and its recipient if there is exactly one. */
interface Original {
  readonly id: string | null
  readonly onlyRecipient: string
}

const originalOf = (parts: ReadonlyArray<MimePart>): Original => {
  for (const part of parts) {
    if (!originalTypes.has(part.type)) continue
    const { fields } = splitHeaders(bodyOf(part).toString("latin1").trimStart())
    const id = valueOf(fields, "message-id")
    const recipients = parseAddressList([valueOf(fields, "to"), valueOf(fields, "cc")].join(","))
    const [only, ...more] = recipients.map(({ email }) => normalizeEmail(email))
    if (id !== "") return { id, onlyRecipient: more.length > 0 ? "" : (only ?? "") }
  }
  return { id: null, onlyRecipient: "" }
}

const leavesOf = (part: MimePart): ReadonlyArray<MimePart> =>
  part.children.length === 0 ? [part] : part.children.flatMap(leavesOf)

/**
 * Returns whether a part contains the fields of a report. The media type of a status part is sufficient. Inside a
 * report, a text part or an unknown file that starts with such fields counts too.
 */
const isStatus = (part: MimePart, inReport: boolean): boolean => {
  if (part.type === "message/delivery-status" || part.type === "message/global-delivery-status") return true
  if (!inReport || !/^(?:text\/(?:plain|delivery-status)|application\/octet-stream)$/u.test(part.type)) return false
  const start = bodyOf(part).toString("latin1", 0, 16_384)
  return /^(?:final|original)-recipient[ \t]*:/imu.test(start) && /^(?:action|status)[ \t]*:/imu.test(start)
}

/** Returns the report in the parts of one message. Does not open attached messages. */
const reportAmong = (root: MimePart): DeliveryReport | null => {
  const leaves = leavesOf(root)
  const parts = leaves.filter((part) => isStatus(part, root.type === "multipart/report"))
  if (parts.length === 0) return null
  // If the blank line after the part's headers is missing, the fields of the report are among the headers.
  const fields = parts.map((part) => [...part.fields, ...blocksOf(bodyOf(part).toString("latin1")).flat()])
  const { id, onlyRecipient } = originalOf(leaves)
  const statuses = fields
    .flatMap((each) => groupsOf(each).flatMap((group) => statusOf(group, onlyRecipient)))
    .slice(0, recipientsRead)
  const named = fields.map((each) => valueOf(each, "x-original-message-id")).find((found) => found !== "")
  return { statuses, originalMessageId: id ?? named ?? (valueOf(root.fields, "in-reply-to") || null) }
}

/** Searches attached messages for a report, because gateways and lists attach reports when they forward them. */
const nestedReport = (root: MimePart, depth: number): DeliveryReport | null => {
  if (depth > deepestReport) return null
  for (const leaf of leavesOf(root)) {
    if (leaf.type !== "message/rfc822" && leaf.type !== "message/global") continue
    const inner = readPart(decodeTransfer(leaf.body, leaf.encoding, nestedBytesRead), newBudget())
    const found = reportAmong(inner) ?? nestedReport(inner, depth + 1)
    if (found !== null) return found
  }
  return null
}

/**
 * Reads the delivery status notification of a mail (RFC 3464 in the container of RFC 6522) leniently. Derives missing
 * fields from others. Finds attached reports. Reads a report in plain text if its text names a recipient and a status.
 * Returns null for other mails, including mails of people who quote or attach a report.
 */
export const readDeliveryReport = (root: MimePart, text: string): DeliveryReport | null => {
  const automatic = root.type === "multipart/report" || isFromMailSystem(root.fields)
  if (!automatic) return null
  return reportAmong(root) ?? nestedReport(root, 1) ?? readTextReport(root.fields, text, originalOf(leavesOf(root)).id)
}

/** Reads the abuse report among the leaves of a mail (RFC 5965); undefined when there is none. */
export const readComplaint = (leaves: ReadonlyArray<MimePart>): Complaint | undefined => {
  const part = leaves.find(({ type }) => type === "message/feedback-report")
  if (part === undefined) return undefined
  const fields = splitHeaders(bodyOf(part).toString("latin1").trimStart()).fields
  const recipients = fields
    .filter(({ name }) => name === "original-rcpt-to" || name === "removal-recipient")
    .map(({ value }) => addressIn(value))
    .filter((email) => email !== "")
  return {
    feedbackType: valueOf(fields, "feedback-type").toLowerCase() || "abuse",
    recipients: [...new Set(recipients)],
    originalMessageId: originalOf(leaves).id
  }
}
