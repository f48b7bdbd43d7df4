import type { TenantId } from "../TenantId.ts"
import { mintCredential, parseCredential } from "./Credential.ts"

/** The period after its creation in which a sign-in ticket can be used. */
export const signInTicketMillis = 10 * 60_000

/** The prefix of the secret part. It differs from that of stream tickets, so neither replaces the other. */
const signInScheme = "lsi"

/** A sign-in ticket: `<tenant id>.<secret>`. The tenant id tells the server where the ticket is stored. */
export interface SignInTicket {
  readonly tenantId: TenantId
  readonly secret: string
}

/** Creates the secret part of a ticket. `randomBytes` must be cryptographically strong. */
export const mintSignInSecret = (randomBytes: (length: number) => Uint8Array): string =>
  mintCredential(signInScheme, randomBytes).key

/** Returns the text of a ticket. */
export const formatSignInTicket = ({ secret, tenantId }: SignInTicket): string => `${tenantId}.${secret}`

/** Parses a ticket. Returns null if the form or checksum is wrong. */
export const parseSignInTicket = (text: string): SignInTicket | null => {
  const dot = text.lastIndexOf(".")
  const secret = text.slice(dot + 1)
  if (dot <= 0 || parseCredential(signInScheme, secret) === null) return null
  return { tenantId: text.slice(0, dot), secret }
}
