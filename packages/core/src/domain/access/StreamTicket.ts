import { Schema } from "effect"
import { Time } from "../Field.ts"
import { type Credential, mintCredential, parseCredential } from "./Credential.ts"

/** The period after its creation in which a ticket can be used. */
export const ticketMillis = 60_000

/** The prefix of every stream ticket. */
export const ticketScheme = "lst"

/**
 * A stored stream ticket: it lets a browser's `EventSource`, which cannot send headers, open the event stream of a tenant
 * once. The ticket stands for the credential of the request that created it.
 */
export class StreamTicket extends Schema.Opaque<StreamTicket>()(
  Schema.Struct({
    tenantId: Schema.String,
    /** The keyed hash of the ticket, in hex. */
    hash: Schema.String.annotate({ secret: true }),
    /** The sealed `TicketGrant`. */
    sealed: Schema.String.annotate({ secret: true }),
    expiresAt: Time
  })
) {}

/** The headers that a ticket replaces. */
export const TicketGrant = Schema.Struct({
  credential: Schema.String,
  /** The value of `X-Acting-User`; null without the header. */
  actingUser: Schema.NullOr(Schema.String)
})

/** Creates a stream ticket. `randomBytes` must be cryptographically strong. */
export const mintTicket = (randomBytes: (length: number) => Uint8Array): Credential =>
  mintCredential(ticketScheme, randomBytes)

/** Parses a stream ticket. Returns null if the form or checksum is wrong. */
export const parseTicket = (text: string): Credential | null => parseCredential(ticketScheme, text)
