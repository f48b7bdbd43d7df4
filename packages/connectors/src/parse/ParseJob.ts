import { type ReadMail, splitMail } from "@leadloom/core/email/incoming/ReadMail"
import { attachmentOf, parseMail } from "../mime/MimeParser.ts"
import type { MessageJson } from "../nylas/MessageJson.ts"
import { mailOfJson } from "../nylas/ReadMessage.ts"

/** What a parse thread does. Plain data, because it is copied from thread to thread. */
export type ParseJob =
  | { readonly kind: "mail"; readonly raw: Uint8Array }
  | { readonly kind: "json"; readonly message: MessageJson }
  | { readonly kind: "attachment"; readonly raw: Uint8Array; readonly index: number }

/** What each kind of job results in. */
export interface ParseResults {
  readonly mail: ReadMail
  readonly json: ReadMail
  readonly attachment: Uint8Array | null
}

export type ParseResult = ParseResults[ParseJob["kind"]]

/** Does a job on the thread that calls it. */
export const runJob = (job: ParseJob): ParseResult => {
  switch (job.kind) {
    case "mail":
      return splitMail(parseMail(job.raw))
    case "json":
      return splitMail(mailOfJson(job.message))
    case "attachment":
      return attachmentOf(job.raw, job.index)
  }
}
