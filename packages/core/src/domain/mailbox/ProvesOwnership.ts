import { domainOf } from "../address/Address.ts"
import { mailboxOf, registrableDomain } from "../email/Mailbox.ts"

/** The facts about a login that decide whether it proves the ownership of an address. */
export interface LoginFacts {
  /** The address, normalised. */
  readonly email: string
  readonly username: string
  /** The host of the IMAP server. */
  readonly host: string
  /** The IMAP host that discovery found for the domain of the address; null if it found none. */
  readonly discoveredHost: string | null
  /** True if the operator permits the host by name, and thereby trusts its logins. */
  readonly isAllowedHost: boolean
}

/**
 * Returns whether a login proves that the person owns the address. A login at an arbitrary server proves nothing:
 * everybody can run a server that accepts any name. The server must therefore be the server of the address's domain,
 * and the login name must be the address or its local part.
 */
export const provesOwnership = (facts: LoginFacts): boolean => {
  const { discoveredHost, email, host, isAllowedHost, username } = facts
  const name = username.toLowerCase()
  const isOwnName = name.includes("@")
    ? mailboxOf(name) === mailboxOf(email)
    : name === email.slice(0, email.indexOf("@"))
  const lower = host.toLowerCase()
  const isOfDomain = registrableDomain(lower) === registrableDomain(domainOf(email))
  return isOwnName && (isAllowedHost || isOfDomain || lower === discoveredHost?.toLowerCase())
}
