import type { Address } from "@leadloom/core/domain/address/Address"
import type { HostedAttachment, HostedMessage } from "@leadloom/core/domain/email/HostedMail"
import {
  type Envelope,
  maxHeaderFields,
  maxMailboxes,
  readEnvelope,
  maxHeaderValueLength
} from "@leadloom/core/domain/email/MailHeaders"
import type { MailAttachment, MailHeader, ParsedMail } from "@leadloom/core/domain/email/ParsedMail"
import type { ReadMail } from "@leadloom/core/domain/email/ReadMail"
import { unparsedMail } from "@leadloom/core/domain/conversation/UnparsedMail"
import { visibleLine } from "@leadloom/core/domain/email/VisibleText"
import { fileName } from "../mime/FileName.ts"
import { headerDecoding } from "../mime/HeaderDecoding.ts"
import { parseParameterised } from "../mime/MediaType.ts"
import { present } from "../http/Present.ts"
import type { AttachmentJson, HeaderJson, MailboxJson, MessageJson } from "./MessageJson.ts"
import { readJsonBody } from "./ReadBody.ts"

/** Media type of a message as Nylas gives it. */
export const jsonSource = "application/json"

/** Most attachments read of one message. */
const attachmentsKept = 1_000

/** Folders that are not for us: labels of Google, well-known names of Microsoft Graph. Ids of other folders differ. */
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

/** Header fields in the form that the reader of MIME mail gives them: unfolded, bounded, names in lower case. */
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

/** The headers decide; what they leave out is what Nylas made of them. */
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
    // Without any headers, each of them missing says the same.
    defects: fields.length === 0 ? ["The provider gave no header fields."] : read.defects
  }
}

/** Epoch milliseconds of Nylas' seconds; null when there are none that a calendar knows. */
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

/** What can be fetched: an attachment without an id is known and no more. */
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
    // Parts of a report are not in the JSON: it is known as one by its headers, its details by `MailReturned`.
    report: null,
    defects: [...body.defects, ...defects]
  }
}

/** Header fields of a message, from what Nylas made of them where it gives none: enough to know who wrote. */
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

/** The mail that a message is. Total: what cannot be parsed is `unparsed`. */
export const mailOfJson = (json: MessageJson): ParsedMail => {
  try {
    return readMail(json, attachmentsOf(json))
  } catch (cause) {
    const unparsed = unparsedMail(headerFieldsOf(json), "failed", headerDecoding)
    return { ...unparsed, defects: [...unparsed.defects, cause instanceof Error ? cause.message : String(cause)] }
  }
}

/** Completes a mail with what Nylas says of the message; `asked` and `now` stand in for an id and a time it leaves out. */
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
  aside: isAside(json)
})
