import { Schema, Struct } from "effect"
import { Message } from "./Message.ts"

/** A stored message. The reference to its source is in three columns. */
export class MessageRow extends Schema.Opaque<MessageRow>()(
  Schema.Struct({
    ...Struct.omit(Message.fields, ["raw"]),
    rawKey: Schema.NullOr(Schema.String),
    rawSize: Schema.NullOr(Schema.Int),
    rawType: Schema.NullOr(Schema.String)
  })
) {}
