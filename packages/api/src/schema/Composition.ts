import { maxAttachments, maxReplyToAddresses } from "@leadloom/core/internal/domain/sending/Composition"
import { maxUndoSeconds, sendZones } from "@leadloom/core/internal/domain/sending/SendTime"
import { maxRecipients } from "@leadloom/core/internal/domain/email/OutgoingMail"
import { Schema } from "effect"
import { text } from "./Field.ts"

/**
 * The longest address has 254 characters (RFC 5321). The limit leaves room for white space. The domain validates the
 * address.
 */
export const EmailText = text(320)

/** A display name. */
export const Name = Schema.String.check(Schema.isMaxLength(200))

export const Recipient = Schema.Struct({
  email: EmailText.annotate({ description: "An email address, at most 320 characters" }),
  name: Schema.optionalKey(Name).annotate({ description: "The display name, at most 200 characters. Default: none" })
}).annotate({ identifier: "Recipient", description: "An email address with an optional display name" })

/** The limit applies to each of the fields to, cc and bcc. The domain also limits the sum of all three. */
export const Recipients = Schema.Array(Recipient).check(Schema.isMaxLength(maxRecipients))

export const AttachmentToSend = Schema.Struct({
  upload_id: Schema.String.annotate({ description: "The id of an upload (`upl_…`) that no other message contains" }),
  inline: Schema.optionalKey(Schema.Boolean).annotate({
    description: "true: the HTML of the body shows the image as `cid:<content_id>`. Default: false"
  }),
  content_id: Schema.optionalKey(text(100)).annotate({
    description: "The content id of an inline image: letters, digits, `.`, `_`, `@` and `-`. Default: the upload id"
  })
}).annotate({ identifier: "AttachmentToSend", description: "An uploaded file to attach" })

/** The request fields of a composed message beyond those that a request always had. */
export const attachments = Schema.optionalKey(
  Schema.Array(AttachmentToSend).check(Schema.isMaxLength(maxAttachments)).annotate({
    description: "The files to attach, at most 25 with 25 MiB together. As MMS: at most 10 with 5 MB. Default: none"
  })
)
export const replyTo = Schema.optionalKey(
  Schema.Array(Recipient).check(Schema.isMaxLength(maxReplyToAddresses)).annotate({
    description: "The addresses to which the recipients reply, at most 5. Default: the sender"
  })
)
export const forwardMessageId = Schema.optionalKey(Schema.String).annotate({
  description:
    "The email to forward: its text and its attachments follow the body. The subject becomes `Fwd: …` unless `subject` is sent"
})
export const replyToMessageId = Schema.optionalKey(Schema.String).annotate({
  description: "The message_id of the email that this email answers. Both then belong to the same thread"
})
export const from = Schema.optionalKey(Recipient).pipe(
  Schema.annotateKey({ description: "The sender: the connected account or one of its aliases" })
)
export const subject = Schema.String.check(Schema.isMaxLength(998))

/** The fields of a message to a contact that only an email has, except `attachments`. */
export const EmailOptions = {
  subject: Schema.optionalKey(subject).annotate({
    description:
      "The subject line of an email, at most 998 characters. With a subject and without `reply_to_message_id`, the email opens a thread. Default: the subject of the answered email"
  }),
  from,
  to: Schema.optionalKey(Recipients).annotate({
    description: "The recipients of an email. Default: those of the reply; with a subject, the address of the contact"
  }),
  cc: Schema.optionalKey(Recipients).annotate({ description: "Further recipients in Cc. Default: none" }),
  bcc: Schema.optionalKey(Recipients).annotate({ description: "The recipients in Bcc. Default: none" }),
  reply_to: replyTo,
  reply_to_message_id: replyToMessageId,
  forward_message_id: forwardMessageId,
  attachments
}

/** The fields of a message that is sent later. */
export const ScheduleOptions = {
  send_at: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(40))).annotate({
    description:
      "The time of the send, within one year: ISO 8601 with an offset from UTC, or a local time with `time_zone`. A time in the contact's quiet hours (21:00 to 08:00) moves to their end. Default: now",
    examples: ["2026-03-02T09:30:00+01:00"]
  }),
  time_zone: Schema.optionalKey(Schema.Literals(sendZones)).annotate({
    description: "The time zone of a local `send_at`: that of the contact or of the tenant"
  }),
  undo_seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxUndoSeconds }))
  ).annotate({
    description:
      "The seconds for which the message waits and can be cancelled, 0 to 30. Without effect together with `send_at`. Default: 0"
  }),
  cancel_on_reply: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "For a message that is sent later: true cancels it when the contact or a person of the tenant writes before. Default: false"
  })
}

/** The response field of a message that is sent later. */
export const LaterReceipt = {
  send_at: Schema.optionalKey(Schema.String).annotate({
    description:
      "Present on a message that is sent later: the time of the send (ISO 8601 in UTC). Until then, the message is in `GET …/scheduled` and not in the conversation"
  })
}
