import { Clock, Effect } from "effect"
import { type Contact, ContactNotFound } from "../contact/Contact.ts"
import { contactEvent } from "../contact/ContactEvent.ts"
import { identitiesOf } from "../contact/Identity.ts"
import { livesOn } from "../contact/LiveContact.ts"
import { parsePhoneOnce } from "../contact/PhoneMemo.ts"
import { resolveContact } from "../contact/ResolveContact.ts"
import { CrmLinks } from "../port/CrmLinks.ts"
import { Crm } from "../port/Crm.ts"
import { Events } from "../port/Events.ts"
import { Ids } from "../port/Ids.ts"
import { Transactions } from "../port/Transactions.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import { type CrmContact, noFields } from "./CrmContact.ts"
import { CrmNotInstalled } from "./CrmFailure.ts"
import type { CrmLink } from "./CrmLink.ts"
import { askForSync } from "./FeedCrm.ts"
import { newLink } from "./MeetInCrm.ts"
import { bounded } from "./TakeFields.ts"
import { withAccess } from "./WithAccess.ts"

/** One of our contacts, found by what the CRM calls it. */
export interface ContactOfCrm {
  readonly contact: Contact
  /** It was made for this. */
  readonly created: boolean
}

/** Our contact behind a link that stands, wherever merges have taken it; null where there is none any more. */
const linked = Effect.fnUntraced(function* (tenantId: string, locationId: string, crmContactId: string) {
  const link = yield* (yield* CrmLinks).ofCrm(tenantId, locationId, crmContactId)
  return { link, contact: link === null ? null : yield* livesOn(tenantId, link.contactId) }
})

/**
 * Writes down which of our contacts a contact of the CRM is. Neither has been told anything of the other, so that all they
 * say is news when they are brought together. Runs inside a unit of work.
 */
const keepLink = Effect.fnUntraced(function* (
  before: CrmLink | null,
  contact: Contact,
  found: CrmContact,
  now: number
) {
  const links = yield* CrmLinks
  const link = newLink(contact, found, { ours: noFields, theirs: noFields }, now)
  if (before === null) yield* links.insert(link)
  else yield* links.replace({ ...link, createdAt: before.createdAt }, before.version)
  yield* askForSync({ tenantId: contact.tenantId, locationId: found.locationId }, contact.contactId)
})

/** What can be used of a contact of the CRM: an address or number that is none is left out. */
export const profileOfCrm = (tenant: Tenant, { company, email, name, phone }: CrmContact) => {
  const { identities } = identitiesOf({ email, phone }, tenant.config.defaultCountry, parsePhoneOnce)
  const valueOf = (kind: string) => identities.find((identity) => identity.kind === kind)?.value ?? null
  const profile = { name: bounded(name), company: bounded(company), email: valueOf("email"), phone: valueOf("phone") }
  return { identities, profile }
}

/** Finds whom a contact of the CRM stands for by its address and number, or makes one, and links the two. */
const meet = Effect.fnUntraced(function* (tenant: Tenant, found: CrmContact) {
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const [events, ids] = [yield* Events, yield* Ids]
  const { identities, profile } = profileOfCrm(tenant, found)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      // Somebody else may have met them while the CRM was asked.
      const there = yield* linked(tenantId, found.locationId, found.crmContactId)
      if (there.contact !== null) return { contact: there.contact, created: false } satisfies ContactOfCrm
      const { change, contact } = yield* resolveContact(tenantId, identities, profile, now)
      yield* keepLink(there.link, contact, found, now)
      if (change !== "none") {
        yield* events.append(tenantId, [contactEvent(`contact.${change}`, contact, yield* ids.next("evt"), now)])
      }
      return { contact, created: change === "created" } satisfies ContactOfCrm
    })
  )
})

/**
 * What the CRM knows of one of its contacts now. Whom it does not know is nobody, and a location that lets nobody in any more is
 * as good as one without the app. Never inside a unit of work. */
export const askForContact = Effect.fnUntraced(function* (tenantId: string, locationId: string, crmContactId: string) {
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
 * or number or made, and linked. Never inside a unit of work.
 */
export const contactOfCrm = Effect.fn("contactOfCrm")(function* (
  tenant: Tenant,
  locationId: string,
  crmContactId: string
) {
  const there = yield* linked(tenant.tenantId, locationId, crmContactId)
  if (there.contact !== null) return { contact: there.contact, created: false } satisfies ContactOfCrm
  return yield* meet(tenant, yield* askForContact(tenant.tenantId, locationId, crmContactId))
})
