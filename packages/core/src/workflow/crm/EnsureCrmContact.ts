import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { CrmLinks } from "../../port/repository/crm/CrmLinks.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { CrmInstall } from "../../domain/crm/Location.ts"
import { enqueueCrmSync } from "../webhook/Outbox.ts"
import { linkContactToCrm } from "./LinkContactToCrm.ts"

/** The id and location of our contact in the CRM. */
export interface CrmContactRef {
  readonly locationId: string
  readonly crmContactId: string
}

/** Returns the linked CRM contact in the first location that has one. */
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
 * Returns the CRM contact of one of our contacts, from the first location with a link. Without a link it searches the
 * first location by address and number, creates the contact there if necessary, and links it. Returns null without a
 * location, without an address or number, or when the CRM contact is linked with another of our contacts. `formerId` is
 * the contact's id before a merge. Must run outside a unit of work.
 */
export const ensureCrmContact = Effect.fn("ensureCrmContact")(function* (
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
})
