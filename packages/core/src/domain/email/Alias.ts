import { domainOf, isEmail, normalizeEmail } from "../address/Address.ts"
import { asciiEmail, asciiHost, mailboxOf } from "./Mailbox.ts"

/** Aliases of one connection, at most (specification, Limits). */
export const maxAliases = 20

/** Whether an address is on a domain or below it: mail for these addresses is the tenant's. */
export const isOnDomain = (email: string, domain: string): boolean => {
  const host = asciiHost(domainOf(email))
  return host !== "" && (host === domain || host.endsWith(`.${domain}`))
}

/** The aliases to store, or what is wrong with them, each with its place in the list. */
export type CheckedAliases =
  | { readonly ok: true; readonly aliases: ReadonlyArray<string> }
  | { readonly ok: false; readonly issues: ReadonlyArray<{ readonly index: number; readonly message: string }> }

/** The account that aliases are for, and who sets them. */
export interface AliasOwner {
  readonly accountEmail: string
  /** The aliases that the account has; they may stay. */
  readonly aliases: ReadonlyArray<string>
  readonly tenantDomain: string | null
  /** The operator sets them. */
  readonly byOperator: boolean
}

/** Why an address must not become an alias; null: it may. */
const aliasProblem = (email: string, owner: AliasOwner): string | null => {
  const { accountEmail, aliases, byOperator, tenantDomain } = owner
  if (!isEmail(email)) return "This is not an email address."
  if (aliases.includes(email)) return null
  if (tenantDomain !== null) {
    return isOnDomain(email, tenantDomain) ? null : `This address is not on the tenant's domain ${tenantDomain}.`
  }
  // Whoever has one mailbox of a host does not own the others there.
  if (mailboxOf(email) === mailboxOf(accountEmail)) return null
  const domain = domainOf(accountEmail)
  if (!isOnDomain(email, domain)) return `This address is not on the account's domain ${domain}.`
  return byOperator ? null : "The tenant has no domain of its own: only the operator sets other addresses as aliases."
}

/**
 * Checks a list of aliases: addresses on the tenant's domain. Without one they are tags of the account's own address,
 * and the operator may set others on the account's domain. Each is kept once, normalised; the account's own address
 * needs no alias and is left out.
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

/**
 * The aliases of an account once mail has arrived at these addresses, and those that it has no room for. Only what is on
 * the tenant's domain becomes one.
 */
export const discovered = (
  account: { readonly email: string; readonly aliases: ReadonlyArray<string> },
  recipients: ReadonlyArray<string>,
  tenantDomain: string
): { readonly aliases: ReadonlyArray<string>; readonly skipped: ReadonlyArray<string> } => {
  const known = new Set([account.email, ...account.aliases])
  const found = [...new Set(recipients)].filter(
    (email) => !known.has(email) && isEmail(email) && isOnDomain(email, tenantDomain)
  )
  const room = Math.max(0, maxAliases - account.aliases.length)
  return { aliases: [...account.aliases, ...found.slice(0, room)], skipped: found.slice(room) }
}
