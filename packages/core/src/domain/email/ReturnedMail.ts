import { readBounce } from "./Bounce.ts"
import { normalizeMessageId } from "./MessageId.ts"
import type { ParsedMail } from "./ParsedMail.ts"

/** A mail of ours that came back, and whom it did not reach. */
export interface ReturnedMail {
  readonly originalMessageId: string
  readonly recipients: ReadonlyArray<{
    readonly email: string
    readonly reason: string
    /** Only this mail is lost: another may be sent there. */
    readonly open?: boolean
  }>
}

/** What a bounce or a complaint says of a mail that was sent. Null when it is neither, or names no mail. */
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
  return { originalMessageId, recipients: mail.complaint.recipients.map((email) => ({ email, reason })) }
}
