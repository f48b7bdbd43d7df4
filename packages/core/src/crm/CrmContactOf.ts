import { Clock, Effect } from "effect"
import type { Contact } from "../contact/Contact.ts"
import { Crm } from "../port/Crm.ts"
import { CrmLinks } from "../port/CrmLinks.ts"
import { Transactions } from "../port/Transactions.ts"
import { keepLink } from "./ContactOfCrm.ts"
import type { CrmAccess } from "./CrmGrant.ts"
import { withAccess } from "./WithAccess.ts"

/** Where one of our contacts is in the CRM. */
export interface PlaceInCrm {
  readonly locationId: string
  readonly crmContactId: string
}

/** The contact of the CRM that is linked with ours, in one of the locations, in their order. */
const linkedPlace = Effect.fnUntraced(function* (
  tenantId: string,
  contactIds: ReadonlySet<string>,
  locationIds: ReadonlyArray<string>
) {
  const links = yield* CrmLinks
  const all = yield* Effect.forEach(contactIds, (contactId) => links.ofContact(tenantId, contactId))
  const living = all.flat().filter(({ goneAt }) => goneAt === null)
  for (const wanted of locationIds) {
    const link = living.find(({ locationId }) => locationId === wanted)
    if (link !== undefined) return { locationId: link.locationId, crmContactId: link.crmContactId } satisfies PlaceInCrm
  }
  return null
})

/** Who has the address or the number there; made where nobody does. Nothing of somebody who is there is changed. */
const findOrMake = Effect.fnUntraced(function* (access: CrmAccess, { company, email, name, phone }: Contact) {
  const crm = yield* Crm
  const byEmail = email === null ? null : yield* crm.findContact(access, { email })
  const found = byEmail ?? (phone === null ? null : yield* crm.findContact(access, { phone }))
  return found ?? (yield* crm.upsertContact(access, { name, email, phone, company })).contact
})

/**
 * The contact of the CRM that stands for one of ours, in the first of the locations where it is known; else it is looked for by
 * address and number in the first location, made where nobody has them, and linked. Null: there is no location, or
 * nothing to look for. `formerId` is what the contact was called before it was merged. Never inside a unit of work.
 */
export const crmContactOf = Effect.fn("crmContactOf")(function* (
  contact: Contact,
  formerId: string,
  locationIds: ReadonlyArray<string>
) {
  const { contactId, email, phone, tenantId } = contact
  const known = yield* linkedPlace(tenantId, new Set([contactId, formerId]), locationIds)
  if (known !== null) return known
  const [locationId] = locationIds
  if (locationId === undefined || (email === null && phone === null)) return null
  const found = yield* withAccess(tenantId, locationId, (access) => findOrMake(access, contact))
  const now = yield* Clock.currentTimeMillis
  const links = yield* CrmLinks
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const link = yield* links.ofCrm(tenantId, locationId, found.crmContactId)
      // It may stand for another of ours by now: that is for the people to say, and the CRM's contact is the one meant.
      if (link === null) yield* keepLink(null, contact, found, now)
    })
  )
  return { locationId, crmContactId: found.crmContactId } satisfies PlaceInCrm
})
