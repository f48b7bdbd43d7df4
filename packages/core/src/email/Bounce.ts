import { isEmail, normalizeEmail } from "./Address.ts"
import { normalizeMessageId } from "./MessageId.ts"
import type { DeliveryStatus, ParsedMail } from "./ParsedMail.ts"

/** One address that mail could not reach. */
export interface BouncedRecipient {
  readonly email: string
  /** Whether it is final: action `failed` and not a temporary status (RFC 3463 class 4). */
  readonly hard: boolean
  readonly status: string | null
  readonly diagnostic: string | null
}

/** A bounce that can be acted on. */
export interface Bounce {
  readonly recipients: ReadonlyArray<BouncedRecipient>
  /** Whether any of the recipients failed for good. */
  readonly hard: boolean
  /** Cleaned Message-ID of the mail that came back: check that we sent it before marking anybody. */
  readonly originalMessageId: string
}

const undelivered = ({ action }: DeliveryStatus): boolean => action === "failed" || action === "delayed"

const toRecipient = ({ recipient, action, status, diagnostic }: DeliveryStatus): BouncedRecipient => ({
  email: normalizeEmail(recipient),
  hard: action === "failed" && !(status ?? "").startsWith("4"),
  status,
  diagnostic
})

/**
 * Reads a delivery status notification (RFC 3464). Null unless it names an action, a recipient and the id of the
 * original mail: a forged bounce must not switch an address off. Being sent by a mailer daemon proves nothing.
 */
export const readBounce = (mail: Pick<ParsedMail, "report">): Bounce | null => {
  const original = mail.report?.originalMessageId ?? null
  const originalMessageId = original === null ? null : normalizeMessageId(original)
  if (mail.report === null || originalMessageId === null) return null
  const recipients = mail.report.statuses
    .filter(undelivered)
    .map(toRecipient)
    .filter(({ email }) => isEmail(email))
  if (recipients.length === 0) return null
  return { recipients, hard: recipients.some(({ hard }) => hard), originalMessageId }
}
