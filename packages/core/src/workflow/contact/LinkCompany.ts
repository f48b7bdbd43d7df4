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
  companyRemoved,
  email,
  tenantId
}: Pick<Contact, "companyId" | "companyRemoved" | "email" | "tenantId">) {
  if (companyRemoved) return null
  if (companyId === null) return yield* companyOfEmail(tenantId, email)
  return yield* (yield* Companies)
    .get(tenantId, companyId)
    .pipe(Effect.catchTag("CompanyNotFound", () => Effect.succeed<Company | null>(null)))
})

/**
 * Returns a contact with the company of its email domain. A contact that has a company keeps it, and one that a person
 * removed from its company gets none. An address at a public mail host belongs to no company.
 */
export const withCompany = Effect.fnUntraced(function* (contact: Contact) {
  if (contact.companyId !== null || contact.companyRemoved) return contact
  const company = yield* companyOfEmail(contact.tenantId, contact.email)
  return company === null ? contact : { ...contact, companyId: company.companyId }
})

/**
 * Links a changed contact to the company of its address like `withCompany`. Reads nothing if the address is the same as
 * before, because a contact is linked when it gets its address and when the company gets its domain.
 */
export const withCompanyOfNewEmail = Effect.fnUntraced(function* (before: Contact, after: Contact) {
  return after.email === before.email ? after : yield* withCompany(after)
})

/**
 * Returns a contact with the company that a person chose, or removed from its company. Fails with `CompanyNotFound` for
 * an unknown company.
 */
export const setCompany = Effect.fnUntraced(function* (contact: Contact, companyId: string | null | undefined) {
  if (companyId === undefined) return contact
  if (companyId === null) {
    return { ...contact, companyId, companyRemoved: contact.companyRemoved || contact.companyId !== null }
  }
  const company = yield* (yield* Companies).get(contact.tenantId, companyId)
  return { ...contact, companyId: company.companyId, companyRemoved: false }
})
