import { isEmail, normalizeEmail } from "@leadloom/core/email/Address"
import { splitHeaders } from "@leadloom/core/email/incoming/MailHeaders"
import type { Complaint, DeliveryReport, DeliveryStatus, MailHeader } from "@leadloom/core/email/incoming/ParsedMail"
import { visibleLine } from "@leadloom/core/email/VisibleText"
import type { MimePart } from "./MimeTree.ts"
import { decodeBase64, decodeTransfer } from "./TransferEncoding.ts"

/** Most bytes read of one machine-readable part, and most recipients of one report. */
const reportBytesRead = 262_144
const recipientsRead = 500

const actions = ["failed", "delayed", "delivered", "relayed", "expanded"] as const

const bodyOf = (part: MimePart): Buffer => decodeTransfer(part.body, part.encoding, reportBytesRead)

const valueOf = (fields: ReadonlyArray<MailHeader>, name: string): string =>
  visibleLine(fields.find((field) => field.name === name)?.value ?? "")

/** The address of `rfc822; <a@b>` (RFC 3464 section 2.3.2); empty when it is none. */
const addressIn = (value: string): string => {
  const email = normalizeEmail(value.replace(/^[\w-]+\s*;/u, ""))
  return isEmail(email) ? email : ""
}

/** Field blocks between blank lines; a block that some relay turned into base64 is turned back. */
const blocksOf = (text: string): ReadonlyArray<ReadonlyArray<MailHeader>> => {
  const blocks: Array<ReadonlyArray<MailHeader>> = []
  for (const chunk of text.split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/u).slice(0, recipientsRead * 2)) {
    const encoded = valueOf(blocks[blocks.length - 1] ?? [], "content-transfer-encoding").toLowerCase() === "base64"
    const readable =
      encoded && !chunk.includes(":") ? decodeBase64(Buffer.from(chunk, "latin1")).toString("latin1") : chunk
    blocks.push(splitHeaders(readable.trimStart()).fields)
  }
  return blocks
}

const statusOf = (fields: ReadonlyArray<MailHeader>): ReadonlyArray<DeliveryStatus> => {
  const named = valueOf(fields, "action").toLowerCase()
  const action = actions.find((candidate) => named.startsWith(candidate))
  // The original recipient is the address we wrote to; the final one may be where it was forwarded.
  const recipient = addressIn(valueOf(fields, "original-recipient")) || addressIn(valueOf(fields, "final-recipient"))
  if (action === undefined || recipient === "") return []
  const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/u.exec(valueOf(fields, "status"))?.[0] ?? null
  const diagnostic = valueOf(fields, "diagnostic-code").replace(/^[\w-]+\s*;\s*/u, "") || null
  return [{ recipient, action, status, diagnostic }]
}

const originalTypes = new Set([
  "message/rfc822",
  "text/rfc822-headers",
  "text/rfc822-header",
  "message/rfc822-headers",
  "message/global"
])

const originalIdOf = (parts: ReadonlyArray<MimePart>): string | null => {
  for (const part of parts) {
    if (!originalTypes.has(part.type)) continue
    const id = valueOf(splitHeaders(bodyOf(part).toString("latin1")).fields, "message-id")
    if (id !== "") return id
  }
  return null
}

/** Reads the delivery status notification among the leaves of a mail (RFC 3464); null when there is none. */
export const readDeliveryReport = (leaves: ReadonlyArray<MimePart>): DeliveryReport | null => {
  const parts = leaves.filter(
    ({ type }) => type === "message/delivery-status" || type === "message/global-delivery-status"
  )
  if (parts.length === 0) return null
  const statuses = parts
    .flatMap((part) => blocksOf(bodyOf(part).toString("latin1")).flatMap(statusOf))
    .slice(0, recipientsRead)
  return { statuses, originalMessageId: originalIdOf(leaves) }
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
    originalMessageId: originalIdOf(leaves)
  }
}
