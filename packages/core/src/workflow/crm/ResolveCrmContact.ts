import { Effect } from "effect"
import { type Contact, ContactNotFound } from "../../domain/contact/Contact.ts"
import { Crm } from "../../port/provider/Crm.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { CrmNotInstalled } from "../../domain/crm/CrmFailure.ts"
import { findLinkedContact, linkCrmContact } from "./LinkCrmContact.ts"
import { withAccess } from "./WithAccess.ts"

/** One of our contacts, found by what the CRM calls it. */
export interface ResolvedCrmContact {
  readonly contact: Contact
  /** It was made for this. */
  readonly created: boolean
}

/**
 * What the CRM knows of one of its contacts now. Whom it does not know is nobody, and a location that lets nobody in any
 * more is as good as one without the app. Never inside a unit of work.
 */
export const fetchCrmContact = Effect.fnUntraced(function* (
  tenantId: string,
  locationId: string,
  crmContactId: string
) {
  const crm = yield* Crm
  return yield* withAccess(tenantId, locationId, (access) => crm.contact(access, crmContactId)).pipe(
    Effect.catchTags({
      CrmGone: () => Effect.fail(new ContactNotFound({ contactId: crmContactId })),
      CrmSignedOut: () => Effect.fail(new CrmNotInstalled({ locationId }))
    })
  )
})

/**
 * Our contact that a contact of the CRM stands for. One that is not linked yet is asked for at the CRM, found by address
 * or number or made, and linked: who is in front of a workflow is somebody, also without either. Never inside a unit of
 * work.
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
  // Somebody else may have met them while the CRM was asked.
  const { contact, how } = yield* (yield* Transactions).atomically(tenantId, linkCrmContact(tenant, found))
  return { contact, created: how === "created" } satisfies ResolvedCrmContact
})
