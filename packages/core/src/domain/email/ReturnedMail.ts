import { readBounce } from "./Bounce.ts"
import { normalizeMessageId } from "./MessageId.ts"
import type { ParsedMail } from "./ParsedMail.ts"

/** The failed recipients of a mail that came back, with its Message-ID. */
export interface ReturnedMail {
  readonly originalMessageId: string
  readonly recipients: ReadonlyArray<{
    readonly email: string
    readonly reason: string
    /** True if the failure concerns only this mail. Other mail may then be sent to the address. */
    readonly open?: boolean
    /** True if the recipient reported the mail as unwanted. */
    readonly complained?: boolean
  }>
}

/**
 * Reads the original mail and its failed recipients from a bounce or a complaint. Returns null for any other mail, and
 * for a report that does not identify the original mail.
 */
export const returnedMail = (mail: ParsedMail): ReturnedMail | null => {
  const bounce = readBounce(mail)
  if (bounce !== null) {
    const recipients = bounce.recipients
      .filter(({ lost }) => lost)
      .map(({ closed, diagnostic, email, status }) => ({
        email,
        open: !closed,
        reason: ["bounced", status, diagnostic].filter((part) => part !== null).join(" ")
      }))
    return { originalMessageId: bounce.originalMessageId, recipients }
  }
  const original = mail.complaint?.originalMessageId ?? null
  const originalMessageId = original === null ? null : normalizeMessageId(original)
  if (mail.complaint === undefined || originalMessageId === null) return null
  const reason = `complained (${mail.complaint.feedbackType})`
  return {
    originalMessageId,
    recipients: mail.complaint.recipients.map((email) => ({ email, reason, complained: true }))
  }
}
