import type { Address } from "@leadloom/core/internal/domain/address/Address"
import type { Grant } from "@leadloom/core/internal/domain/email/Grant"
import type { OutgoingMail } from "@leadloom/core/internal/domain/email/OutgoingMail"
import { createHash } from "node:crypto"

/**
 * The header field for the Message-ID that this server assigned. It is needed because providers overwrite `Message-ID`.
 */
export const ownMessageHeader = "X-Leadloom-Message"

const mailbox = ({ email, name }: Address) => (name === null ? { email } : { email, name })

/**
 * The header fields that mark an automatic mail. Microsoft accepts only fields with the prefix `X-`, so mail from
 * Microsoft accounts carries only the field that Exchange recognises.
 */
const automaticHeaders = (provider: Grant["provider"]) => [
  ...(provider === "google" ? [{ name: "Auto-Submitted", value: "auto-replied" }] : []),
  { name: "X-Auto-Response-Suppress", value: "All" }
]

/**
 * Returns a mail in Nylas's format. The format has one body field, so HTML takes precedence over text, and Nylas
 * generates the other. Tracking stays off, because the request does not ask for it.
 */
export const outgoingJson = (mail: OutgoingMail, provider: Grant["provider"]) => ({
  from: [mailbox(mail.from)],
  to: mail.to.map(mailbox),
  ...(mail.cc.length === 0 ? {} : { cc: mail.cc.map(mailbox) }),
  ...(mail.bcc.length === 0 ? {} : { bcc: mail.bcc.map(mailbox) }),
  subject: mail.subject,
  body: mail.html ?? mail.text,
  ...(mail.html === null ? { is_plaintext: true } : {}),
  ...(mail.answersProviderId === null ? {} : { reply_to_message_id: mail.answersProviderId }),
  custom_headers: [
    { name: ownMessageHeader, value: mail.internetMessageId },
    ...(mail.automatic ? automaticHeaders(provider) : [])
  ]
})

/**
 * Returns the idempotency key of a mail. The key is its Message-ID, or a hash when the Message-ID does not fit into a
 * header of 256 characters.
 */
export const idempotencyKey = ({ internetMessageId }: Pick<OutgoingMail, "internetMessageId">): string =>
  /^[!-~]{1,256}$/u.test(internetMessageId)
    ? internetMessageId
    : createHash("sha256").update(internetMessageId).digest("hex")
