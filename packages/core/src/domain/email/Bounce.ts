import { normalizeEmail } from "../address/Address.ts"
import { normalizeMessageId } from "./MessageId.ts"
import type { DeliveryStatus, ParsedMail } from "./ParsedMail.ts"

/** An address that a mail could not reach. */
export interface BouncedRecipient {
  readonly email: string
  /**
   * True if the mail will not be delivered: the action is `failed`. The status code is ignored, because a mail that
   * waited too long fails with a temporary status (class 4).
   */
  readonly lost: boolean
  /** True if the failure is permanent: the action is `failed`, and the status is not temporary (RFC 3463 class 4). */
  readonly hard: boolean
  /** True if the failure is permanent and concerns the address itself. Other mail to this address would fail too. */
  readonly closed: boolean
  readonly status: string | null
  readonly diagnostic: string | null
}

/** A bounce that identifies the returned mail and its recipients. */
export interface Bounce {
  readonly recipients: ReadonlyArray<BouncedRecipient>
  /** True if the failure of at least one recipient is permanent. */
  readonly hard: boolean
  /**
   * The cleaned Message-ID of the returned mail. Before you mark an address as undeliverable, check that this server
   * sent this mail.
   */
  readonly originalMessageId: string
}

const undelivered = ({ action }: DeliveryStatus): boolean => action === "failed" || action === "delayed"

/**
 * Permanent statuses that do not concern the recipient's address (RFC 3463). They concern the sender's address (5.1.7,
 * 5.1.8), a full mailbox or an oversized mail (5.2.2, 5.2.3), the receiving system and its size limit (5.3), the
 * content (5.6), or policy and spam (5.7).
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
 * Reads a delivery status notification (RFC 3464). Returns null unless the notification contains an action, a recipient
 * and the id of the original mail. Without these, anyone could disable an address with a forged bounce. A mailer daemon
 * as the sender proves nothing.
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
