import { Data } from "effect"
import { getDomain } from "tldts"
import { domainOf, splitPlusTag } from "../address/Address.ts"

/** The part of the WHATWG URL parser, a global of every runtime, that maps host names (Unicode TS 46). */
declare const URL: {
  readonly canParse: (url: string) => boolean
  new (url: string): { readonly hostname: string }
}

/** A host name in lower case, in ASCII (RFC 5891, "A-label"). A name that has no such form comes back in lower case. */
export const asciiHost = (host: string): string => {
  const lower = host.toLowerCase()
  if (/^[\x21-\x7e]*$/u.test(lower)) return lower
  const url = `http://${lower}`
  return URL.canParse(url) ? new URL(url).hostname : lower
}

/** An address in lower case with its host in ASCII: the form in which accounts and aliases are stored. */
export const asciiEmail = (email: string): string => {
  const at = email.lastIndexOf("@")
  return at < 0 ? email.toLowerCase() : `${email.slice(0, at).toLowerCase()}@${asciiHost(email.slice(at + 1))}`
}

/**
 * The mailbox behind an address, by which addresses are owned: in lower case, the host in ASCII, and without a tag
 * (RFC 5233). `Sales+x@Bücher.example` and `sales@xn--bcher-kva.example` are one mailbox.
 */
export const mailboxOf = (email: string): string => splitPlusTag(asciiEmail(email)).email

/**
 * The domain somebody registered, by the public suffix list: `mail.acme.co.uk` is `acme.co.uk`. Suffixes that companies
 * let others live under count too, so that two shops of one host are not one domain. A name that is itself a suffix
 * stands for itself.
 */
export const registrableDomain = (domain: string): string =>
  getDomain(domain, { allowPrivateDomains: true }) ?? domain.toLowerCase()

/** The domains that an address is on, its own first, up to the one that somebody registered. */
export const domainsOf = (email: string): ReadonlyArray<string> => {
  const host = asciiHost(domainOf(email))
  const above = registrableDomain(host)
  if (host === "" || !host.endsWith(`.${above}`)) return host === "" ? [] : [host]
  const labels = host.slice(0, -above.length - 1).split(".")
  return [...labels.map((_, index) => `${labels.slice(index).join(".")}.${above}`), above]
}

/** A host with its labels in reverse, so that hosts below a domain begin with it: `mail.acme.com` is `com.acme.mail`. */
export const reversedHost = (host: string): string => host.split(".").toReversed().join(".")

/** A tenant and its domain. */
interface DomainOwner {
  readonly tenantId: string
  readonly domain: string | null
}

/** The tenants of the nearest domain that an address is on. Several only in a database that has a conflict. */
export const nearestOwners = <A extends DomainOwner>(email: string, tenants: ReadonlyArray<A>): ReadonlyArray<A> => {
  const nearest = domainsOf(email).find((domain) => tenants.some((tenant) => tenant.domain === domain))
  return tenants.filter(({ domain }) => nearest !== undefined && domain === nearest)
}

/** Whether an address is on the domain of a tenant other than this one. */
export const isOnForeignDomain = (email: string, tenantId: string, tenants: ReadonlyArray<DomainOwner>): boolean => {
  const owners = nearestOwners(email, tenants)
  return owners.length > 0 && owners.every((owner) => owner.tenantId !== tenantId)
}

/** Another tenant of this deployment has connected these addresses, or owns their domain. */
export class AddressTaken extends Data.TaggedError("AddressTaken")<{ readonly addresses: ReadonlyArray<string> }> {}
