import { Effect } from "effect"
import { companyDomainsOf, companyOfDomains } from "../../domain/company/Company.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { Companies } from "../../port/repository/contact/Companies.ts"

/**
 * Returns a contact with the company of its email domain. A contact that has a company keeps it. An address at a public
 * mail host belongs to no company.
 */
export const withCompany = Effect.fnUntraced(function* (contact: Contact) {
  const domains = contact.companyId === null ? companyDomainsOf(contact.email) : []
  if (domains.length === 0) return contact
  const company = companyOfDomains(yield* (yield* Companies).withDomains(contact.tenantId, domains), domains)
  return company === null ? contact : { ...contact, companyId: company.companyId }
})

/** Returns a contact with another company, or without one. Fails with `CompanyNotFound` for an unknown company. */
export const setCompany = Effect.fnUntraced(function* (contact: Contact, companyId: string | null | undefined) {
  if (companyId === undefined) return contact
  if (companyId === null) return { ...contact, companyId }
  const company = yield* (yield* Companies).get(contact.tenantId, companyId)
  return { ...contact, companyId: company.companyId }
})
