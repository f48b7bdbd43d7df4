/**
 * Creates, changes and lists companies, and links existing contacts to them. The link of a new contact belongs to
 * `workflow/contact`. Tests: `packages/testkit/src/suite/company`, `packages/server/test/http/contact/Companies.test.ts`.
 */
import { Clock, Effect } from "effect"
import {
  type Company,
  CompanyDomainInvalid,
  CompanyDomainTaken,
  CompanyInUse,
  parseCompanyDomain
} from "../../domain/company/Company.ts"
import { companyFacet } from "../../domain/contact/ContactFacet.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import type { FieldChanges } from "../../domain/field/FieldValues.ts"
import { trimToNull } from "../../domain/text/TrimToNull.ts"
import { Companies, type ListedCompany } from "../../port/repository/contact/Companies.ts"
import { ContactSummaries } from "../../port/repository/contact/ContactSummaries.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { queueLinks } from "./LinkContacts.ts"
import { setCustomFields } from "../field/SetCustomFields.ts"
import { withSpan } from "../WithSpan.ts"

/** The properties of a company that a person sets. Absent ones stay, and null clears one. */
export interface CompanyChanges {
  readonly name?: string
  readonly domain?: string | null
  readonly notes?: string | null
  readonly customFields?: FieldChanges
}

/** Applies changes to a company and checks them. Runs inside a unit of work. */
const changed = Effect.fnUntraced(function* (company: Company, { customFields, domain, name, notes }: CompanyChanges) {
  const read = domain === undefined || trimToNull(domain) === null ? null : parseCompanyDomain(domain ?? "")
  if (read instanceof CompanyDomainInvalid) return yield* read
  const after: Company = {
    ...company,
    name: name === undefined ? company.name : name.trim(),
    domain: domain === undefined ? company.domain : read,
    notes: notes === undefined ? company.notes : trimToNull(notes)
  }
  if (after.domain !== null) {
    const [holder] = yield* (yield* Companies).withDomains(company.tenantId, [after.domain])
    if (holder !== undefined && holder.companyId !== company.companyId) {
      return yield* new CompanyDomainTaken({ domain: after.domain, companyId: holder.companyId })
    }
  }
  return yield* setCustomFields(after, "company", customFields)
})

/** Creates a company. */
export const createCompany = Effect.fnUntraced(function* (
  tenantId: string,
  fields: CompanyChanges & { readonly name: string }
) {
  yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  const companyId = yield* (yield* Ids).next("cmp")
  const { name } = fields
  const blank = {
    companyId,
    tenantId,
    name,
    domain: null,
    notes: null,
    customFields: {},
    createdAt: now,
    updatedAt: now
  }
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const company = yield* changed(blank, fields)
      yield* (yield* Companies).insert(company)
      if (company.domain !== null) yield* queueLinks(tenantId, company.domain, now)
      return company
    })
  )
}, withSpan("createCompany"))

/** Changes the given properties of a company. */
export const updateCompany = Effect.fnUntraced(function* (
  tenantId: string,
  companyId: string,
  changes: CompanyChanges
) {
  yield* (yield* Tenants).get(tenantId)
  const updatedAt = yield* Clock.currentTimeMillis
  const companies = yield* Companies
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* companies.get(tenantId, companyId)
      const after = { ...(yield* changed(before, changes)), updatedAt }
      yield* companies.update(after)
      const { domain } = after
      if (domain !== null && domain !== before.domain) yield* queueLinks(tenantId, domain, updatedAt)
      return after
    })
  )
}, withSpan("updateCompany"))

/** Deletes a company. Fails with `CompanyInUse` when an active or archived contact belongs to it. */
export const removeCompany = Effect.fnUntraced(function* (tenantId: string, companyId: string) {
  yield* (yield* Tenants).get(tenantId)
  const companies = yield* Companies
  const summaries = yield* ContactSummaries
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const company = yield* companies.get(tenantId, companyId)
      for (const archived of [false, true]) {
        const filter = { by: "tag", value: companyFacet(company.companyId) } as const
        const found = yield* summaries.walk({ tenantId, archived, filter, activeAfter: -1, after: null, limit: 1 })
        if (found.length > 0) return yield* new CompanyInUse({ companyId })
      }
      yield* companies.remove(tenantId, companyId)
    })
  )
}, withSpan("removeCompany"))

/** Returns a page of companies, by name. With `query`, only companies whose name starts with it. */
export const listCompanies = Effect.fnUntraced(function* (tenantId: string, query: string | null, page: PageRequest) {
  yield* (yield* Tenants).get(tenantId)
  const companies = yield* Companies
  return yield* readPage(
    {
      scope: { tenantId, list: "companies", filters: { query } },
      keyOf: ({ companyId, nameKey }: ListedCompany) => [nameKey, companyId],
      readKey: ([name, companyId]) =>
        typeof name === "string" && typeof companyId === "string" ? { name, companyId } : null,
      fetch: (limit, after) => companies.page(tenantId, query ?? "", limit, after)
    },
    page
  )
}, withSpan("listCompanies"))
