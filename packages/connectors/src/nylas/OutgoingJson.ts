import type { Address } from "@leadloom/core/domain/address/Address"
import type { Grant } from "@leadloom/core/domain/email/Grant"
import type { OutgoingMail } from "@leadloom/core/domain/email/OutgoingMail"
import { createHash } from "node:crypto"

/** Under this header field a mail of ours carries the Message-ID that we gave it; providers overwrite the real one. */
export const ownMessageHeader = "X-Leadloom-Message"

const mailbox = ({ email, name }: Address) => (name === null ? { email } : { email, name })

/** Microsoft takes only fields whose names begin with `X-`: there nothing but Exchange is told that no person wrote. */
const automaticHeaders = (provider: Grant["provider"]) => [
  ...(provider === "google" ? [{ name: "Auto-Submitted", value: "auto-replied" }] : []),
  { name: "X-Auto-Response-Suppress", value: "All" }
]

/**
 * A mail as Nylas takes it. Its HTML, or its text where it has none: there is room for one, and Nylas makes the other.
 * Nothing is tracked, because nothing of that is asked for.
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

/** What keeps a mail from going twice: its Message-ID, or a hash of one that does not fit a header of 256 characters. */
export const idempotencyKey = ({ internetMessageId }: Pick<OutgoingMail, "internetMessageId">): string =>
  /^[!-~]{1,256}$/u.test(internetMessageId)
    ? internetMessageId
    : createHash("sha256").update(internetMessageId).digest("hex")
