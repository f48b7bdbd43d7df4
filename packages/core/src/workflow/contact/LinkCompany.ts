import { Effect } from "effect"
import { type Company, companyDomainsOf, companyOfDomains } from "../../domain/company/Company.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { Companies } from "../../port/repository/contact/Companies.ts"

/** Returns the company whose domain an email address has; null if there is none. */
const companyOfEmail = Effect.fnUntraced(function* (tenantId: string, email: string | null) {
  const domains = companyDomainsOf(email)
  if (domains.length === 0) return null
  return companyOfDomains(yield* (yield* Companies).withDomains(tenantId, domains), domains)
})

/** Returns the company of a contact, or the one that `withCompany` would link; null if there is none. */
export const findCompany = Effect.fnUntraced(function* ({
  companyId,
  email,
  tenantId
}: Pick<Contact, "companyId" | "email" | "tenantId">) {
  if (companyId === null) return yield* companyOfEmail(tenantId, email)
  return yield* (yield* Companies)
    .get(tenantId, companyId)
    .pipe(Effect.catchTag("CompanyNotFound", () => Effect.succeed<Company | null>(null)))
})

/**
 * Returns a contact with the company of its email domain. A contact that has a company keeps it. An address at a public
 * mail host belongs to no company.
 */
export const withCompany = Effect.fnUntraced(function* (contact: Contact) {
  if (contact.companyId !== null) return contact
  const company = yield* companyOfEmail(contact.tenantId, contact.email)
  return company === null ? contact : { ...contact, companyId: company.companyId }
})

/** Returns a contact with another company, or without one. Fails with `CompanyNotFound` for an unknown company. */
export const setCompany = Effect.fnUntraced(function* (contact: Contact, companyId: string | null | undefined) {
  if (companyId === undefined) return contact
  if (companyId === null) return { ...contact, companyId }
  const company = yield* (yield* Companies).get(contact.tenantId, companyId)
  return { ...contact, companyId: company.companyId }
})
