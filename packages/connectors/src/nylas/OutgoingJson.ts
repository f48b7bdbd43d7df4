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
const automaticHeaders = ({ autoSubmitted = "auto-replied" }: OutgoingMail, provider: Grant["provider"]) => [
  ...(provider === "google" ? [{ name: "Auto-Submitted", value: autoSubmitted }] : []),
  { name: "X-Auto-Response-Suppress", value: "All" }
]

/**
 * The header fields with the link that opts the recipient out (RFC 8058). Only Google accounts accept them, see
 * `automaticHeaders`.
 */
const unsubscribeHeaders = ({ unsubscribeUrl = null }: OutgoingMail, provider: Grant["provider"]) =>
  unsubscribeUrl === null || provider !== "google"
    ? []
    : [
        { name: "List-Unsubscribe", value: `<${unsubscribeUrl}>` },
        { name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" }
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
  ...((mail.replyTo ?? []).length === 0 ? {} : { reply_to: (mail.replyTo ?? []).map(mailbox) }),
  subject: mail.subject,
  body: mail.html ?? mail.text,
  ...(mail.html === null ? { is_plaintext: true } : {}),
  ...(mail.answersProviderId === null ? {} : { reply_to_message_id: mail.answersProviderId }),
  custom_headers: [
    { name: ownMessageHeader, value: mail.internetMessageId },
    ...(mail.automatic ? automaticHeaders(mail, provider) : []),
    ...unsubscribeHeaders(mail, provider)
  ]
})

/**
 * Returns the form of a mail with attachments: the mail as JSON in the field `message`, then one field per file. Nylas
 * shows a file in the HTML if the name of its field is the content id.
 */
export const outgoingForm = (
  mail: OutgoingMail,
  provider: Grant["provider"],
  files: ReadonlyArray<Uint8Array>
): FormData => {
  const form = new FormData()
  form.set("message", JSON.stringify(outgoingJson(mail, provider)))
  for (const [index, { contentId, contentType, filename }] of (mail.attachments ?? []).entries()) {
    const content = new Blob([Buffer.from(files[index] ?? [])], { type: contentType })
    form.set(contentId ?? `file${index}`, content, filename)
  }
  return form
}

/**
 * Returns the idempotency key of a mail. The key is its Message-ID, or a hash when the Message-ID does not fit into a
 * header of 256 characters.
 */
export const idempotencyKey = ({ internetMessageId }: Pick<OutgoingMail, "internetMessageId">): string =>
  /^[!-~]{1,256}$/u.test(internetMessageId)
    ? internetMessageId
    : createHash("sha256").update(internetMessageId).digest("hex")
