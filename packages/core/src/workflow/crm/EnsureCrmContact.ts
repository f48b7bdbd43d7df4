import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { CrmLinks } from "../../port/repository/crm/CrmLinks.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { CrmInstall } from "../../domain/crm/Location.ts"
import { enqueueCrmSync } from "../webhook/Outbox.ts"
import { linkContactToCrm } from "./LinkContactToCrm.ts"
import { withSpan } from "../WithSpan.ts"

/** The CRM contact that is linked to a local contact, and its location. */
export interface CrmContactRef {
  readonly locationId: string
  readonly crmContactId: string
}

/** Returns the linked CRM contact. If several locations have one, the first location is used. */
const linkedPlace = Effect.fnUntraced(function* (
  tenantId: string,
  contactIds: ReadonlySet<string>,
  installs: ReadonlyArray<CrmInstall>
) {
  const links = yield* CrmLinks
  const all = yield* Effect.forEach(contactIds, (contactId) => links.ofContact(tenantId, contactId))
  const living = all.flat().filter(({ goneAt }) => goneAt === null)
  for (const install of installs) {
    const link = living.find(({ locationId }) => locationId === install.locationId)
    if (link !== undefined)
      return { locationId: link.locationId, crmContactId: link.crmContactId } satisfies CrmContactRef
  }
  return null
})

/**
 * Returns the CRM contact of a local contact, from the first location in which it is linked. If it is not linked, the
 * first location is searched by address and number. If no CRM contact is found, it is created. The contacts are then
 * linked. Returns null in three cases: there is no location; the contact has neither address nor number; the CRM
 * contact is linked to another local contact. `formerId` is the contact's id before a merge. Must run outside a unit of
 * work.
 */
export const ensureCrmContact = Effect.fnUntraced(function* (
  tenant: Tenant,
  contact: Contact,
  formerId: string,
  installs: ReadonlyArray<CrmInstall>
) {
  const { contactId, tenantId } = contact
  const known = yield* linkedPlace(tenantId, new Set([contactId, formerId]), installs)
  const [install] = installs
  if (known !== null || install === undefined) return known
  const link = yield* linkContactToCrm(tenant, install, contact)
  if (link === null) return null
  if (install.sync !== "off") yield* (yield* Transactions).atomically(tenantId, enqueueCrmSync(install, contactId))
  return { locationId: link.locationId, crmContactId: link.crmContactId } satisfies CrmContactRef
}, withSpan("ensureCrmContact"))
