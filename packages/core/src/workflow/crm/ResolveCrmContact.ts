import { Effect } from "effect"
import { type Contact, ContactNotFound } from "../../domain/contact/Contact.ts"
import { Crm } from "../../port/provider/Crm.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { CrmNotInstalled } from "../../domain/crm/Location.ts"
import { findLinkedContact, linkCrmContact } from "./LinkCrmContact.ts"
import { withAccess } from "./WithAccess.ts"

/** Our contact for a CRM contact id. */
export interface ResolvedCrmContact {
  readonly contact: Contact
  /** True when the contact was created by this call. */
  readonly created: boolean
}

/**
 * Requests a contact from the CRM. Maps an unknown contact to `ContactNotFound` and a revoked access to
 * `CrmNotInstalled`. Must run outside a unit of work.
 */
export const fetchCrmContact = Effect.fnUntraced(function* (
  tenantId: string,
  locationId: string,
  crmContactId: string
) {
  const crm = yield* Crm
  return yield* withAccess(tenantId, locationId, (access) => crm.contact(access, crmContactId)).pipe(
    Effect.catchReasons("ProviderFailure", {
      Gone: () => Effect.fail(new ContactNotFound({ contactId: crmContactId })),
      SignedOut: () => Effect.fail(new CrmNotInstalled({ locationId }))
    })
  )
})

/**
 * Returns our contact for a CRM contact. An unlinked one is requested from the CRM, found by address or number or
 * created, and linked. A contact in a workflow is accepted even without an address or number. Must run outside a unit
 * of work.
 */
export const resolveCrmContact = Effect.fn("resolveCrmContact")(function* (
  tenant: Tenant,
  locationId: string,
  crmContactId: string
) {
  const { tenantId } = tenant
  const there = yield* findLinkedContact(tenantId, locationId, crmContactId)
  if (there.contact !== null) return { contact: there.contact, created: false } satisfies ResolvedCrmContact
  const found = yield* fetchCrmContact(tenantId, locationId, crmContactId)
  // A concurrent request may have linked the contact in the meantime; `linkCrmContact` then returns it.
  const { contact, how } = yield* (yield* Transactions).atomically(tenantId, linkCrmContact(tenant, found))
  return { contact, created: how === "created" } satisfies ResolvedCrmContact
})
