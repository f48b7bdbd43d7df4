import { Effect } from "effect"
import { type Contact, ContactNotFound } from "../../domain/contact/Contact.ts"
import { Crm } from "../../port/provider/Crm.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { CrmNotInstalled } from "../../domain/crm/Location.ts"
import { findLinkedContact, linkCrmContact } from "./LinkCrmContact.ts"
import { withAccess } from "./WithAccess.ts"
import { withSpan } from "../WithSpan.ts"

/** The local contact for a CRM contact id. */
export interface ResolvedCrmContact {
  readonly contact: Contact
  /** True when this call has created the contact. */
  readonly created: boolean
}

/**
 * Reads a contact from the CRM. Fails with `ContactNotFound` for an unknown contact, and with `CrmNotInstalled` if the
 * access was revoked. Must run outside a unit of work.
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
 * Returns the local contact for a CRM contact. An unlinked CRM contact is read from the CRM, matched by address or
 * number or created, and linked. A contact without address and number is accepted here, because a workflow of the CRM
 * names it. Must run outside a unit of work.
 */
export const resolveCrmContact = Effect.fnUntraced(function* (
  tenant: Tenant,
  locationId: string,
  crmContactId: string
) {
  const { tenantId } = tenant
  const there = yield* findLinkedContact(tenantId, locationId, crmContactId)
  if (there.contact !== null) return { contact: there.contact, created: false } satisfies ResolvedCrmContact
  const found = yield* fetchCrmContact(tenantId, locationId, crmContactId)
  // A concurrent request may have linked the contact meanwhile. `linkCrmContact` then returns the linked contact.
  const { contact, how } = yield* (yield* Transactions).atomically(tenantId, linkCrmContact(tenant, found))
  return { contact, created: how === "created" } satisfies ResolvedCrmContact
}, withSpan("resolveCrmContact"))
