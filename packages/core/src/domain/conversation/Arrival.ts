import { Schema } from "effect"
import { MessageId } from "../Id.ts"
import { Time } from "../Field.ts"

/** The result of one arrival. */
export const ArrivalOutcome = Schema.Literals([
  "message",
  "duplicate_of",
  "auto",
  "bounce",
  "own",
  "quarantined",
  "failed"
])
export type ArrivalOutcome = typeof ArrivalOutcome.Type

/** One line of the inbound ledger. Every arriving message has a line, so no message disappears unnoticed. */
export class Arrival extends Schema.Opaque<Arrival>()(
  Schema.Struct({
    arrivalId: Schema.String,
    tenantId: Schema.String,
    channel: Schema.String,
    source: Schema.String,
    outcome: ArrivalOutcome,
    /** The stored message, or the original of a duplicate; null if nothing was stored. */
    messageId: Schema.NullOr(MessageId),
    detail: Schema.NullOr(Schema.String),
    receivedAt: Time
  })
) {}
