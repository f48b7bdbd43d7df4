import { domainOf, isEmail, normalizeEmail } from "../address/Address.ts"
import { asciiEmail, asciiHost, mailboxOf } from "./Mailbox.ts"

/** The limit of aliases per connection (specification, Limits). */
export const maxAliases = 20

/**
 * Returns whether an address is on a domain or one of its subdomains. Mail to such an address belongs to the tenant
 * that owns the domain.
 */
export const isOnDomain = (email: string, domain: string): boolean => {
  const host = asciiHost(domainOf(email))
  return host !== "" && (host === domain || host.endsWith(`.${domain}`))
}

/** The aliases to store, or the errors with their positions in the given list. */
export type CheckedAliases =
  | { readonly ok: true; readonly aliases: ReadonlyArray<string> }
  | { readonly ok: false; readonly issues: ReadonlyArray<{ readonly index: number; readonly message: string }> }

/** The account to which aliases are added, and the caller who adds them. */
export interface AliasOwner {
  readonly accountEmail: string
  /** The current aliases of the account. They may stay even if they could not be added now. */
  readonly aliases: ReadonlyArray<string>
  readonly tenantDomain: string | null
  /** True if the operator sets the aliases. */
  readonly byOperator: boolean
}

/** Returns the reason why an address must not become an alias. Returns null if it may become one. */
const aliasProblem = (email: string, owner: AliasOwner): string | null => {
  const { accountEmail, aliases, byOperator, tenantDomain } = owner
  if (!isEmail(email)) return "This is not an email address."
  if (aliases.includes(email)) return null
  if (tenantDomain !== null) {
    return isOnDomain(email, tenantDomain) ? null : `This address is not on the tenant's domain ${tenantDomain}.`
  }
  // The owner of one mailbox does not own the other mailboxes of its domain.
  if (mailboxOf(email) === mailboxOf(accountEmail)) return null
  const domain = domainOf(accountEmail)
  if (!isOnDomain(email, domain)) return `This address is not on the account's domain ${domain}.`
  return byOperator
    ? null
    : "The tenant has no domain of its own. Only the operator can add other addresses as aliases."
}

/**
 * Checks a list of aliases. Current aliases may stay. A new alias must be on the tenant's domain. If the tenant has no
 * domain, a new alias must be a plus-tagged form of the account's address. In this case, the operator may also add
 * other addresses on the account's domain. The result is normalised, has no duplicates, and omits the account's own
 * address.
 */
export const checkAliases = (given: ReadonlyArray<string>, owner: AliasOwner): CheckedAliases => {
  const { accountEmail } = owner
  const normalised = given.map((email) => asciiEmail(normalizeEmail(email)))
  const issues = normalised.flatMap((email, index) => {
    const message = aliasProblem(email, owner)
    return message === null ? [] : [{ index, message }]
  })
  if (issues.length > 0) return { ok: false, issues }
  const kept = [...new Set(normalised)].filter((email) => email !== accountEmail)
  if (kept.length <= maxAliases) return { ok: true, aliases: kept }
  return { ok: false, issues: [{ index: maxAliases, message: `A connection has at most ${maxAliases} aliases.` }] }
}

/** The number of known contacts whose mail makes an address an alias. */
export const minKnownUsers = 3

/**
 * Returns the aliases of an account after the given addresses were used, and the addresses that exceed the limit of
 * aliases. Only an address on the tenant's domain becomes an alias, without its plus tag.
 */
export const discovered = (
  account: { readonly email: string; readonly aliases: ReadonlyArray<string> },
  used: ReadonlyArray<string>,
  tenantDomain: string
): { readonly aliases: ReadonlyArray<string>; readonly skipped: ReadonlyArray<string> } => {
  const known = new Set([account.email, ...account.aliases].map(mailboxOf))
  const found = [...new Set(used.map(mailboxOf))].filter(
    (email) => !known.has(email) && isEmail(email) && isOnDomain(email, tenantDomain)
  )
  const room = Math.max(0, maxAliases - account.aliases.length)
  return { aliases: [...account.aliases, ...found.slice(0, room)], skipped: found.slice(room) }
}
