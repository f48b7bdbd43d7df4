import { Effect } from "effect"
import { allContacts } from "../../domain/contact/ContactFilter.ts"
import { Companies } from "../../port/repository/contact/Companies.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { type ContactPage, listEnriched } from "../contact/ListEnriched.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns a page of the active contacts of a company. */
export const listCompanyContacts = Effect.fnUntraced(function* (
  tenantId: string,
  companyId: string,
  page: ContactPage
) {
  yield* (yield* Tenants).get(tenantId)
  const company = yield* (yield* Companies).get(tenantId, companyId)
  return yield* listEnriched(tenantId, { ...allContacts, companyId: company.companyId }, page)
}, withSpan("listCompanyContacts"))
