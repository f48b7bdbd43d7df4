import { Schema } from "effect"

/** The description of an attachment. It does not contain the attachment's bytes. */
export class MailAttachment extends Schema.Opaque<MailAttachment>()(
  Schema.Struct({
    filename: Schema.NullOr(Schema.String),
    /** The media type in lower case, as `type/subtype`. */
    contentType: Schema.String,
    /** The size of the decoded content in bytes. */
    size: Schema.Finite,
    contentId: Schema.NullOr(Schema.String),
    inline: Schema.Boolean,
    /** The method of a calendar attachment (RFC 5546), for example `REQUEST`. Absent for other attachments. */
    method: Schema.optionalKey(Schema.String),
    /**
     * True if the content is stored separately from the source of the message. Absent if the source contains the
     * content, or if the content is not stored.
     */
    stored: Schema.optionalKey(Schema.Literal(true)),
    /** The key of the object with the content, if a person of the tenant attached the file. */
    objectKey: Schema.optionalKey(Schema.String)
  })
) {}
