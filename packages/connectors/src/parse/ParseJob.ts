import { type ReadMail, splitMail } from "@leadloom/core/internal/domain/email/ReadMail"
import { rawFingerprint } from "@leadloom/core/internal/domain/email/Fingerprint"
import { normalizeMessageId } from "@leadloom/core/internal/domain/email/MessageId"
import { attachmentOf, parseMail } from "../mime/MimeParser.ts"
import type { RenderedHtml } from "@leadloom/core/internal/port/provider/MailParser"
import { renderHtml } from "../mime/Html.ts"
import type { MessageJson } from "../nylas/MessageJson.ts"
import { mailOfJson } from "../nylas/ReadMessage.ts"

/** A job of a parse process. It contains plain data only, because it is sent to another process. */
export type ParseJob =
  | { readonly kind: "mail"; readonly raw: Uint8Array }
  | { readonly kind: "json"; readonly message: MessageJson }
  | { readonly kind: "html"; readonly html: string }
  | { readonly kind: "attachment"; readonly raw: Uint8Array; readonly index: number }

/** The result of each kind of job. */
export interface ParseResults {
  readonly mail: ReadMail
  readonly json: ReadMail
  readonly html: RenderedHtml
  readonly attachment: Uint8Array | null
}

export type ParseResult = ParseResults[ParseJob["kind"]]

/**
 * Hashing a large mail takes time, so it runs in the parse process and not in the server. The hash identifies a mail
 * without a Message-ID.
 */
const readMail = (raw: Uint8Array): ReadMail => {
  const mail = splitMail(parseMail(raw))
  const hasId = mail.messageId !== null && normalizeMessageId(mail.messageId) !== null
  return hasId ? mail : { ...mail, rawFingerprint: rawFingerprint(raw) }
}

/** Runs a job on the caller's thread. */
export const runJob = (job: ParseJob): ParseResult => {
  switch (job.kind) {
    case "mail":
      return readMail(job.raw)
    case "json":
      return splitMail(mailOfJson(job.message))
    case "html":
      return renderHtml(job.html)
    case "attachment":
      return attachmentOf(job.raw, job.index)
  }
}
