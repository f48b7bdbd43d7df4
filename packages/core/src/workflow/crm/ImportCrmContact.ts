import { Effect } from "effect"
import { Crm } from "../../port/provider/Crm.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { CrmContact } from "../../domain/crm/CrmContact.ts"
import { enqueueCrmSync } from "../webhook/Outbox.ts"
import { findLinkedContact, linkCrmContact, profileOfCrm } from "./LinkCrmContact.ts"
import { withAccess } from "./WithAccess.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Queues the synchronisation of a linked contact. Links or creates an unlinked contact only if it has an address or
 * number. Runs inside a unit of work.
 */
const applyEvent = Effect.fnUntraced(function* (tenant: Tenant, found: CrmContact) {
  const { tenantId } = tenant
  const { contact } = yield* findLinkedContact(tenantId, found.locationId, found.crmContactId)
  if (contact !== null) return yield* enqueueCrmSync({ tenantId, locationId: found.locationId }, contact.contactId)
  // A contact without address and number cannot be matched with local contacts.
  if (profileOfCrm(tenant, found).identities.length > 0) yield* linkCrmContact(tenant, found)
})

/**
 * Imports a CRM contact after an event of the CRM: finds the local contact or creates one. The queued job synchronises
 * the fields. Must run outside a unit of work.
 */
export const importCrmContact = Effect.fnUntraced(function* (tenant: Tenant, locationId: string, crmContactId: string) {
  const crm = yield* Crm
  const found = yield* withAccess(tenant.tenantId, locationId, (access) => crm.contact(access, crmContactId)).pipe(
    Effect.catchReason("ProviderFailure", "Gone", () => Effect.succeed(null))
  )
  if (found !== null) yield* (yield* Transactions).atomically(tenant.tenantId, applyEvent(tenant, found))
}, withSpan("importCrmContact"))
