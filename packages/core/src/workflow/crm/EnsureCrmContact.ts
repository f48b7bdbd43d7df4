import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { CrmLinks } from "../../port/repository/crm/CrmLinks.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { CrmInstall } from "../../domain/crm/Location.ts"
import { enqueueCrmSync } from "./EnqueueCrmSync.ts"
import { linkContactToCrm } from "./LinkContactToCrm.ts"

/** Where one of our contacts is in the CRM. */
export interface CrmContactRef {
  readonly locationId: string
  readonly crmContactId: string
}

/** The contact of the CRM that is linked with ours, in one of the locations, in their order. */
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
 * The contact of the CRM that stands for one of ours, in the first of the locations where it is known; else it is looked for by
 * address and number in the first location, made where nobody has them, and linked. Null: there is no location, nothing
 * to look for, or it is linked with another of ours. `formerId` is what the contact was called before it was merged. Never
 * inside a unit of work.
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
