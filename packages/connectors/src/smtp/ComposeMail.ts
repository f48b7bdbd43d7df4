import type { Address } from "@leadloom/core/internal/domain/address/Address"
import type { OutgoingAttachment, OutgoingMail } from "@leadloom/core/internal/domain/email/OutgoingMail"
import MailComposer from "nodemailer/lib/mail-composer"

/** Returns a mailbox for nodemailer, which quotes and encodes the name. */
const mailbox = ({ email, name }: Address) => ({ address: email, name: name ?? "" })

const bracketed = (id: string): string => `<${id}>`

/** Returns an attachment for nodemailer, which encodes the file name and the content. */
const part = ({ contentId, contentType, filename }: OutgoingAttachment, bytes: Uint8Array | undefined) => ({
  filename,
  contentType,
  content: Buffer.from(bytes ?? []),
  ...(contentId === null
    ? { contentDisposition: "attachment" as const }
    : { cid: contentId, contentDisposition: "inline" as const })
})

/**
 * Returns the header fields that nodemailer does not set. The link of `List-Unsubscribe` has no place where a line may
 * be folded, so nodemailer must not encode it.
 */
const moreHeaders = ({ automatic, autoSubmitted = "auto-replied", unsubscribeUrl = null }: OutgoingMail) => ({
  ...(automatic ? { "Auto-Submitted": autoSubmitted, "X-Auto-Response-Suppress": "All" } : {}),
  ...(unsubscribeUrl === null
    ? {}
    : {
        "List-Unsubscribe": { prepared: true, value: `<${unsubscribeUrl}>` },
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
      })
})

/**
 * Composes a mail (RFC 5322, MIME): plain text, or text and HTML as alternatives, and attachments. `files` has the
 * contents of the attachments, in their order. No header contains Bcc recipients. Nothing in the mail can cause a read
 * of files or network resources.
 */
export const composeMail = (mail: OutgoingMail, files: ReadonlyArray<Uint8Array> = []): Promise<Buffer> =>
  new MailComposer({
    from: mailbox(mail.from),
    to: mail.to.map(mailbox),
    cc: mail.cc.map(mailbox),
    ...((mail.replyTo ?? []).length === 0 ? {} : { replyTo: (mail.replyTo ?? []).map(mailbox) }),
    attachments: (mail.attachments ?? []).map((attachment, index) => part(attachment, files[index])),
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    messageId: bracketed(mail.internetMessageId),
    date: new Date(mail.date),
    ...(mail.inReplyTo === null ? {} : { inReplyTo: bracketed(mail.inReplyTo) }),
    references: mail.references.map(bracketed),
    headers: moreHeaders(mail),
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true
  })
    .compile()
    .build()
