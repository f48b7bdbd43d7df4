import type { Address } from "@leadloom/core/internal/domain/address/Address"
import type { OutgoingMail } from "@leadloom/core/internal/domain/email/OutgoingMail"
import MailComposer from "nodemailer/lib/mail-composer"

/** Returns a mailbox for nodemailer, which quotes and encodes the name. */
const mailbox = ({ email, name }: Address) => ({ address: email, name: name ?? "" })

const bracketed = (id: string): string => `<${id}>`

/**
 * Composes a mail (RFC 5322, MIME): plain text, or text and HTML as alternatives. No header contains Bcc recipients.
 * Nothing in the mail can cause a read of files or network resources.
 */
export const composeMail = (mail: OutgoingMail): Promise<Buffer> =>
  new MailComposer({
    from: mailbox(mail.from),
    to: mail.to.map(mailbox),
    cc: mail.cc.map(mailbox),
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    messageId: bracketed(mail.internetMessageId),
    date: new Date(mail.date),
    ...(mail.inReplyTo === null ? {} : { inReplyTo: bracketed(mail.inReplyTo) }),
    references: mail.references.map(bracketed),
    headers: mail.automatic ? { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All" } : {},
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true
  })
    .compile()
    .build()
