import { Schema } from "effect"

/** The description of an attachment without its bytes. */
export class MailAttachment extends Schema.Opaque<MailAttachment>()(
  Schema.Struct({
    filename: Schema.NullOr(Schema.String),
    /** The media type in lower case, as `type/subtype`. */
    contentType: Schema.String,
    /** The size of the decoded content in bytes. */
    size: Schema.Finite,
    contentId: Schema.NullOr(Schema.String),
    inline: Schema.Boolean,
    /** The method of a calendar part (RFC 5546), for example `REQUEST`; absent for other parts. */
    method: Schema.optionalKey(Schema.String),
    /**
     * True if the content is stored next to the source of the message. Absent if the source contains it, or if it is not
     * stored.
     */
    stored: Schema.optionalKey(Schema.Literal(true))
  })
) {}
