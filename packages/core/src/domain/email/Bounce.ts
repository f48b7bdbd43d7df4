import { normalizeEmail } from "../address/Address.ts"
import { normalizeMessageId } from "./MessageId.ts"
import type { DeliveryStatus, ParsedMail } from "./ParsedMail.ts"

/** One address that mail could not reach. */
export interface BouncedRecipient {
  readonly email: string
  /** Whether the mail is given up: action `failed`, whatever the status. A mail that waited too long is, with class 4. */
  readonly lost: boolean
  /** Whether it is final: action `failed` and not a temporary status (RFC 3463 class 4). */
  readonly hard: boolean
  /** Whether it is final and not about the one mail: another may not arrive either. */
  readonly closed: boolean
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

/**
 * Statuses that say nothing against the address (RFC 3463): the sender's (5.1.7, 5.1.8), a full mailbox or a mail too
 * long for it (5.2.2, 5.2.3), the receiving system and its size limit (5.3), the content (5.6), policy and spam (5.7).
 */
const ofOneMail = /^5\.(?:1\.[78]|2\.[23]|[367]\.\d+)$/u

const toRecipient = ({ recipient, action, status, diagnostic }: DeliveryStatus): BouncedRecipient => {
  const lost = action === "failed"
  const hard = lost && !(status ?? "").startsWith("4")
  return {
    email: normalizeEmail(recipient),
    lost,
    hard,
    closed: hard && !ofOneMail.test(status ?? ""),
    status,
    diagnostic
  }
}

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
    .filter(({ email }) => email.includes("@"))
  if (recipients.length === 0) return null
  return { recipients, hard: recipients.some(({ hard }) => hard), originalMessageId }
}
