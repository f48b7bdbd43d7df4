import { getDomain } from "tldts"
import { domainOf, isEmail, normalizeEmail } from "../Address.ts"

/** Aliases of one connection, at most (specification, Limits). */
export const aliasLimit = 20

/**
 * The domain somebody registered, by the public suffix list: `mail.acme.co.uk` is `acme.co.uk`. Suffixes that companies
 * let others live under count too, so that two shops of one host are not one domain. A name that is itself a suffix
 * stands for itself.
 */
export const registrableDomain = (domain: string): string =>
  getDomain(domain, { allowPrivateDomains: true }) ?? domain.toLowerCase()

/** Whether an address is on the domain of a tenant: at the same registrable domain, whatever the subdomain. */
export const isOnDomain = (email: string, domain: string): boolean => {
  const host = domainOf(email)
  return host !== "" && registrableDomain(host) === registrableDomain(domain)
}

/** The aliases to store, or what is wrong with them, each with its place in the list. */
export type CheckedAliases =
  | { readonly ok: true; readonly aliases: ReadonlyArray<string> }
  | { readonly ok: false; readonly issues: ReadonlyArray<{ readonly index: number; readonly message: string }> }

/**
 * Checks a list of aliases: addresses on the tenant's domain (the account's own, when the tenant has none). Each is kept
 * once, normalised; the account's own address needs no alias and is left out.
 */
export const checkAliases = (
  aliases: ReadonlyArray<string>,
  { accountEmail, tenantDomain }: { readonly accountEmail: string; readonly tenantDomain: string | null }
): CheckedAliases => {
  const domain = tenantDomain ?? domainOf(accountEmail)
  const normalised = aliases.map(normalizeEmail)
  const issues = normalised.flatMap((email, index) => {
    if (!isEmail(email)) return [{ index, message: "This is not an email address." }]
    return isOnDomain(email, domain)
      ? []
      : [{ index, message: `This address is not on the tenant's domain ${domain}.` }]
  })
  if (issues.length > 0) return { ok: false, issues }
  const kept = [...new Set(normalised)].filter((email) => email !== accountEmail)
  if (kept.length <= aliasLimit) return { ok: true, aliases: kept }
  return { ok: false, issues: [{ index: aliasLimit, message: `A connection has at most ${aliasLimit} aliases.` }] }
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
  const room = Math.max(0, aliasLimit - account.aliases.length)
  return { aliases: [...account.aliases, ...found.slice(0, room)], skipped: found.slice(room) }
}
