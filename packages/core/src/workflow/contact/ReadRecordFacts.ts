import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { isCompanyFact, recordFactsOf } from "../../domain/rule/RecordFact.ts"
import type { RunSubject } from "../../domain/run/RunSubject.ts"
import { CompiledConfigs } from "../../domain/tenant/CompiledConfigs.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { findCompany } from "./LinkCompany.ts"

/** The fields of a contact that record facts need. */
type FactContact = Pick<Contact, "companyId" | "companyRemoved" | "customFields" | "email" | "tenantId">

/**
 * Returns the record facts that the tenant's rules compare, as a part of a subject. Returns an empty object and reads
 * nothing if the rules compare none. Reads the company only if a rule compares it.
 */
export const readRecordFacts = Effect.fnUntraced(function* (
  tenant: Tenant,
  { contact, lead }: { readonly contact: FactContact; readonly lead: Pick<Lead, "customFields"> | null }
) {
  const { recordFacts: names } = yield* (yield* CompiledConfigs).of(tenant)
  if (names.length === 0) return {}
  const company = names.some(isCompanyFact) ? yield* findCompany(contact) : null
  return { recordFacts: recordFactsOf(names, { contact, lead, company }) } satisfies Pick<RunSubject, "recordFacts">
})
