// Companies: the businesses for which contacts work. The free text `company` of a contact does not belong here. Tests:
// `packages/testkit/src/suite/company`, `packages/server/test/http/contact/Companies.test.ts`.

import { Schema } from "effect"
import { getDomain } from "tldts"
import { domainOf } from "../address/Address.ts"
import { asciiHost, domainsOf } from "../email/Mailbox.ts"
import { isPublicMailbox } from "../email/PublicMailbox.ts"
import { Time } from "../Field.ts"
import { FieldValues } from "../field/FieldValues.ts"
import { CompanyId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"

const hostPattern = /^[a-z0-9.-]{1,253}$/u

/** The limit of characters of a company's name. */
export const maxCompanyName = 200

/** A company. A contact belongs to at most one. */
export class Company extends Schema.Opaque<Company>()(
  Schema.Struct({
    companyId: CompanyId.annotate({ description: "Company id (`cmp_…`)" }),
    tenantId: Schema.String,
    name: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxCompanyName)).annotate({
      description: `The name of the company; at most ${maxCompanyName} characters`
    }),
    domain: Schema.NullOr(Schema.String).annotate({
      description: "The domain of its email addresses, unique per tenant; null: unknown"
    }),
    notes: Schema.NullOr(Schema.String.check(Schema.isMaxLength(20_000))).annotate({
      description: "Free text for agents; at most 20,000 characters; null: none"
    }),
    customFields: FieldValues.annotate({
      description: "The values of the tenant's custom fields, by key (`/fields`)",
      whenAbsent: {}
    }),
    createdAt: Time.annotate({ description: "The time at which the company was created (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change of the company (ISO 8601 in UTC)" })
  })
) {}

/** The tenant has no company with this id. */
export class CompanyNotFound extends TaggedError("CompanyNotFound")<{ readonly companyId: string }> {}

/** Another company has the domain. */
export class CompanyDomainTaken extends TaggedError("CompanyDomainTaken")<{
  readonly domain: string
  readonly companyId: CompanyId
}> {}

/** Contacts still belong to the company. */
export class CompanyInUse extends TaggedError("CompanyInUse")<{ readonly companyId: string }> {}

/** The domain is not a domain, or unrelated people have addresses on it. */
export class CompanyDomainInvalid extends TaggedError("CompanyDomainInvalid")<{ readonly reason: string }> {}

/** Normalises the domain of a company. Returns `CompanyDomainInvalid` for a public mail host and an invalid domain. */
export const parseCompanyDomain = (text: string): string | CompanyDomainInvalid => {
  const domain = asciiHost(text.trim())
  // A public suffix is no registered domain: unrelated companies have addresses below it.
  if (getDomain(domain, { allowPrivateDomains: true, validateHostname: true }) === null || !hostPattern.test(domain)) {
    return new CompanyDomainInvalid({ reason: "Invalid domain. Send a registered domain such as example.com." })
  }
  if (!isPublicMailbox(domain)) return domain
  return new CompanyDomainInvalid({ reason: `${domain} is a public mail host, so it does not identify a company.` })
}

/** The limit of domains of an address that are looked up. */
const maxDomains = 5

/**
 * Returns the domains that can belong to the company of an email address, from the host of the address up to the
 * registered domain. Empty for an address at a public mail host.
 */
export const companyDomainsOf = (email: string | null): ReadonlyArray<string> =>
  email === null || isPublicMailbox(domainOf(email)) ? [] : domainsOf(email).slice(-maxDomains)

/** Returns the company with the longest of these domains; null if there is none. */
export const companyOfDomains = (companies: ReadonlyArray<Company>, domains: ReadonlyArray<string>): Company | null => {
  let found: Company | null = null
  for (const company of companies) {
    const { domain } = company
    if (domain !== null && domains.includes(domain) && domain.length > (found?.domain?.length ?? 0)) found = company
  }
  return found
}
