import type { Address } from "@leadloom/core/internal/domain/address/Address"
import { type Composition, writableChannels } from "@leadloom/core/internal/domain/sending/Composition"
import { Schema } from "effect"
import { computed, orNull } from "./Wire.ts"

/** An address in a response. */
const Mailbox = Schema.Struct({
  email: Schema.String.annotate({ description: "An email address" }),
  name: Schema.NullOr(Schema.String).annotate({ description: "The display name; null: none" })
}).annotate({ identifier: "Mailbox", description: "An email address with its display name" })

const mailboxToJson = ({ email, name }: Address): typeof Mailbox.Type => ({ email, name })

const AttachedFile = Schema.Struct({
  upload_id: Schema.String.annotate({ description: "Upload id (`upl_…`)" }),
  inline: Schema.Boolean.annotate({ description: "true: the HTML of the body shows the image" }),
  content_id: Schema.NullOr(Schema.String).annotate({ description: "The content id of an inline image; null: none" })
}).annotate({ identifier: "AttachedFile", description: "An upload as an attachment of a message that is not sent yet" })

const attachedToJson = ({ contentId, uploadId }: Composition["attachments"][number]): typeof AttachedFile.Type => ({
  upload_id: uploadId,
  inline: contentId !== null,
  content_id: contentId
})

/** A record that contains a composed message. */
interface Composed {
  readonly composition: Composition
}

const mailboxes = <A extends Composed>(field: "bcc" | "cc" | "replyTo" | "to", description: string) =>
  computed(Schema.Array(Mailbox).annotate({ description }), ({ composition }: A) =>
    composition[field].map(mailboxToJson)
  )

/** The fields of a composed message in a response. */
export const composed = <A extends Composed>() => ({
  channel: computed(
    Schema.Literals(writableChannels).annotate({ description: "The channel of the message" }),
    ({ composition }: A) => composition.channel
  ),
  body: computed(
    Schema.String.annotate({ description: "Plain text, or HTML for email" }),
    ({ composition }: A) => composition.body
  ),
  subject: computed(
    Schema.NullOr(Schema.String).annotate({ description: "The subject line; null: that of the answered email" }),
    ({ composition }: A) => composition.subject
  ),
  from: computed(
    Schema.NullOr(Mailbox).pipe(Schema.annotateKey({ description: "The stated sender; null: the default" })),
    ({ composition }: A) => orNull(composition.from, mailboxToJson)
  ),
  to: mailboxes<A>("to", "The stated recipients. Empty: those of the reply, or the contact"),
  cc: mailboxes<A>("cc", "The recipients in Cc"),
  bcc: mailboxes<A>("bcc", "The recipients in Bcc"),
  reply_to: mailboxes<A>("replyTo", "The addresses to which the recipients reply. Empty: the sender"),
  reply_all: computed(
    Schema.Boolean.annotate({ description: "true: also to the other recipients of the answered email" }),
    ({ composition }: A) => composition.replyAll
  ),
  reply_to_message_id: computed(
    Schema.NullOr(Schema.String).annotate({ description: "The answered email; null: the newest one" }),
    ({ composition }: A) => composition.replyToMessageId
  ),
  forward_message_id: computed(
    Schema.NullOr(Schema.String).annotate({ description: "The forwarded email; null: none" }),
    ({ composition }: A) => composition.forwardMessageId
  ),
  attachments: computed(
    Schema.Array(AttachedFile).annotate({ description: "The attached uploads" }),
    ({ composition }: A) => composition.attachments.map(attachedToJson)
  )
})
