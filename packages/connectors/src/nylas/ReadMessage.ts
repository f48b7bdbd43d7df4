import type { Address } from "@leadloom/core/internal/domain/address/Address"
import type { HostedAttachment, HostedMessage } from "@leadloom/core/internal/domain/email/HostedMail"
import {
  type Envelope,
  maxHeaderFields,
  maxMailboxes,
  readEnvelope,
  maxHeaderValueLength
} from "@leadloom/core/internal/domain/email/MailHeaders"
import type { MailAttachment } from "@leadloom/core/internal/domain/email/MailAttachment"
import type { MailHeader, ParsedMail } from "@leadloom/core/internal/domain/email/ParsedMail"
import type { ReadMail } from "@leadloom/core/internal/domain/email/ReadMail"
import { unparsedMail } from "@leadloom/core/internal/domain/conversation/UnparsedMail"
import { visibleLine } from "@leadloom/core/internal/domain/email/VisibleText"
import { fileName } from "../mime/FileName.ts"
import { headerDecoding } from "../mime/HeaderDecoding.ts"
import { parseParameterised } from "../mime/MediaType.ts"
import { present } from "../provider/Present.ts"
import type { AttachmentJson, HeaderJson, MailboxJson, MessageJson } from "./MessageJson.ts"
import { readJsonBody } from "./ReadBody.ts"

/** The media type of a stored Nylas message. */
export const jsonSource = "application/json"

/** The maximum number of attachments read from one message. */
const attachmentsKept = 1_000

/**
 * Folders whose mail is ignored: labels of Google, and well-known names of Microsoft Graph. No other folder has one of
 * these ids.
 */
const asideFolders: ReadonlySet<string> = new Set([
  "draft",
  "drafts",
  "spam",
  "trash",
  "junkemail",
  "deleteditems",
  "recoverableitemsdeletions",
  "junk email",
  "deleted items"
])

const isAside = ({ folders, object }: MessageJson): boolean =>
  object === "draft" || present(folders).some((folder) => asideFolders.has(folder.trim().toLowerCase()))

/** The folders of sent mail and the inbox, in the same form as `asideFolders`. */
const sentFolders: ReadonlySet<string> = new Set(["sent", "sentitems", "sent items"])

const isSent = ({ folders }: MessageJson): boolean | null => {
  const names = present(folders).map((folder) => folder.trim().toLowerCase())
  return names.some((name) => sentFolders.has(name)) ? true : names.includes("inbox") ? false : null
}

/** Returns header fields in the format of the MIME parser: unfolded, limited in length, names in lower case. */
const fieldsOf = (headers: ReadonlyArray<HeaderJson>): ReadonlyArray<MailHeader> =>
  headers.slice(0, maxHeaderFields).flatMap(({ name, value }) => {
    const known = (name ?? "").trim().toLowerCase()
    if (known === "") return []
    return [
      {
        name: known,
        value: (value ?? "")
          .replace(/\r?\n(?=[ \t])/gu, "")
          .trim()
          .slice(0, maxHeaderValueLength)
      }
    ]
  })

const addresses = (mailboxes: ReadonlyArray<MailboxJson | null> | null | undefined): ReadonlyArray<Address> =>
  present(mailboxes)
    .slice(0, maxMailboxes)
    .map(({ email, name }) => ({ email: visibleLine(email ?? ""), name: visibleLine(name ?? "") || null }))
    .filter(({ email }) => email.includes("@"))

const either = <A>(first: ReadonlyArray<A>, second: ReadonlyArray<A>): ReadonlyArray<A> =>
  first.length > 0 ? first : second

/** The header fields take precedence. Missing fields come from Nylas's JSON. */
const envelopeOf = (json: MessageJson): Envelope => {
  const fields = fieldsOf(present(json.headers))
  const read = readEnvelope(fields, headerDecoding)
  return {
    ...read,
    inReplyTo: read.inReplyTo || visibleLine(json.in_reply_to ?? ""),
    from: either(read.from, addresses(json.from)),
    replyTo: either(read.replyTo, addresses(json.reply_to)),
    to: either(read.to, addresses(json.to)),
    cc: either(read.cc, addresses(json.cc)),
    bcc: either(read.bcc, addresses(json.bcc)),
    subject: read.subject || visibleLine(json.subject ?? ""),
    date: read.date ?? millisOf(json.date),
    // A message without any header fields has one defect instead of one for each missing field.
    defects: fields.length === 0 ? ["The provider returned no header fields."] : read.defects
  }
}

/** Converts Nylas's seconds to epoch milliseconds; null when they are missing or outside the range of dates. */
export const millisOf = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined || seconds <= 0 || seconds > 8.64e12 ? null : Math.round(seconds * 1_000)

const attachmentOf = (json: AttachmentJson): MailAttachment => {
  const { params, value } = parseParameterised(json.content_type ?? "")
  const type = /^[^\s/;]+\/[^\s/;]+$/u.test(value) ? visibleLine(value) : "application/octet-stream"
  const method = type === "text/calendar" ? visibleLine(params.get("method") ?? "").toUpperCase() : ""
  const contentId = visibleLine(json.content_id ?? "").replace(/^<|>$/gu, "") || null
  const disposition = (json.content_disposition ?? "").trim().toLowerCase()
  return {
    filename: fileName(json.filename ?? ""),
    contentType: type,
    size: Math.max(0, Math.round(json.size ?? 0)),
    contentId,
    inline: json.is_inline ?? (disposition === "" ? contentId !== null : disposition.startsWith("inline")),
    ...(method === "" ? {} : { method })
  }
}

/**
 * Returns an attachment as a list of one item; an empty list for an attachment without an id, which cannot be fetched.
 */
const fetchable = (json: AttachmentJson, index: number): ReadonlyArray<HostedAttachment> =>
  json.id === null || json.id === undefined || json.id === "" ? [] : [{ attachmentId: json.id, index }]

const readMail = (json: MessageJson, attachments: ReadonlyArray<AttachmentJson>): ParsedMail => {
  const { defects, ...envelope } = envelopeOf(json)
  const body = readJsonBody(json, envelope.headers)
  return {
    ...envelope,
    text: body.text,
    html: body.html,
    attachments: attachments.map(attachmentOf),
    // The JSON does not contain the parts of a report. Its headers identify a report, and `MailReturned` contains the
    // details.
    report: null,
    defects: [...body.defects, ...defects]
  }
}

/**
 * Returns the header fields of a message. If there are none, derives them from Nylas's JSON, so that at least the
 * sender is known.
 */
export const headerFieldsOf = (json: MessageJson): ReadonlyArray<MailHeader> => {
  const fields = fieldsOf(present(json.headers))
  if (fields.length > 0) return fields
  const listed = (name: string, mailboxes: MessageJson["from"]): ReadonlyArray<MailHeader> => {
    const value = addresses(mailboxes)
      .map(({ email }) => `<${email}>`)
      .join(", ")
    return value === "" ? [] : [{ name, value }]
  }
  const subject = visibleLine(json.subject ?? "")
  return [
    ...listed("from", json.from),
    ...listed("to", json.to),
    ...(subject === "" ? [] : [{ name: "subject", value: subject }])
  ]
}

const attachmentsOf = (json: MessageJson) => present(json.attachments).slice(0, attachmentsKept)

/** Converts a message to a mail. Never throws; an unreadable message becomes `unparsed`. */
export const mailOfJson = (json: MessageJson): ParsedMail => {
  try {
    return readMail(json, attachmentsOf(json))
  } catch (cause) {
    const unparsed = unparsedMail(headerFieldsOf(json), "failed", headerDecoding)
    return { ...unparsed, defects: [...unparsed.defects, cause instanceof Error ? cause.message : String(cause)] }
  }
}

/** Adds Nylas's data to a mail. `asked` replaces a missing id, and `now` replaces a missing time. */
export const readMessage = (
  json: MessageJson,
  mail: ReadMail,
  source: Uint8Array,
  requested: string,
  now: number
): HostedMessage => ({
  providerMessageId: json.id || requested,
  providerThreadId: json.thread_id || null,
  mail,
  source,
  sourceType: jsonSource,
  attachments: mail.attachments.length === 0 ? [] : attachmentsOf(json).flatMap(fetchable),
  receivedAt: millisOf(json.date) ?? mail.date ?? now,
  aside: isAside(json),
  sent: isSent(json)
})
