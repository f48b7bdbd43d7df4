import { TaggedError } from "../TaggedError.ts"
import { getDomain } from "tldts"
import { domainOf, splitPlusTag } from "../address/Address.ts"

/**
 * The part of the WHATWG URL parser that normalises host names (Unicode TS 46). The parser is a global of every
 * JavaScript runtime.
 */
declare const URL: {
  readonly canParse: (url: string) => boolean
  new (url: string): { readonly hostname: string }
}

/**
 * Returns a host name in lower case and ASCII (RFC 5891, "A-label"). A name that has no ASCII form is only converted to
 * lower case.
 */
export const asciiHost = (host: string): string => {
  const lower = host.toLowerCase()
  if (/^[\x21-\x7e]*$/u.test(lower)) return lower
  const url = `http://${lower}`
  return URL.canParse(url) ? new URL(url).hostname : lower
}

/** Returns an address in lower case with an ASCII host: the stored form of accounts and aliases. */
export const asciiEmail = (email: string): string => {
  const at = email.lastIndexOf("@")
  return at < 0 ? email.toLowerCase() : `${email.slice(0, at).toLowerCase()}@${asciiHost(email.slice(at + 1))}`
}

/**
 * Returns the mailbox of an address: lower case, ASCII host, no tag (RFC 5233). The owner of an address is determined
 * by its mailbox. `Sales+x@Bücher.example` and `sales@xn--bcher-kva.example` belong to one mailbox.
 */
export const mailboxOf = (email: string): string => splitPlusTag(asciiEmail(email)).email

/**
 * Returns the registered domain of a host name, by the public suffix list: `mail.acme.co.uk` becomes `acme.co.uk`.
 * Private suffixes count too, so two shops on one hosting company's domain have different registered domains. A name
 * that is itself a suffix is returned unchanged.
 */
export const registrableDomain = (domain: string): string =>
  getDomain(domain, { allowPrivateDomains: true }) ?? domain.toLowerCase()

/** Returns the domains of an address, from its host up to the registered domain. */
export const domainsOf = (email: string): ReadonlyArray<string> => {
  const host = asciiHost(domainOf(email))
  const above = registrableDomain(host)
  if (host === "" || !host.endsWith(`.${above}`)) return host === "" ? [] : [host]
  const labels = host.slice(0, -above.length - 1).split(".")
  return [...labels.map((_, index) => `${labels.slice(index).join(".")}.${above}`), above]
}

/**
 * Reverses the labels of a host (`mail.acme.com` becomes `com.acme.mail`), so that all hosts of a domain share a
 * prefix.
 */
export const reversedHost = (host: string): string => host.split(".").toReversed().join(".")

interface DomainOwner {
  readonly tenantId: string
  readonly domain: string | null
}

/**
 * Returns the tenants that own the nearest owned domain of an address. More than one tenant means that the database
 * contains a conflict.
 */
export const nearestOwners = <A extends DomainOwner>(email: string, tenants: ReadonlyArray<A>): ReadonlyArray<A> => {
  const nearest = domainsOf(email).find((domain) => tenants.some((tenant) => tenant.domain === domain))
  return tenants.filter(({ domain }) => nearest !== undefined && domain === nearest)
}

/** Returns whether an address is on the domain of another tenant. */
export const isOnForeignDomain = (email: string, tenantId: string, tenants: ReadonlyArray<DomainOwner>): boolean => {
  const owners = nearestOwners(email, tenants)
  return owners.length > 0 && owners.every((owner) => owner.tenantId !== tenantId)
}

/** Another tenant of this deployment has connected these addresses or owns their domain. */
export class AddressTaken extends TaggedError("AddressTaken")<{ readonly addresses: ReadonlyArray<string> }> {}
