import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { identitiesOf } from "../../domain/contact/Identity.ts"
import { profileOf } from "../../domain/contact/Resolve.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { resolveContact } from "../contact/ResolveContact.ts"
import { CrmLinks } from "../../port/repository/crm/CrmLinks.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type CrmContact, type CrmLink, noFields } from "../../domain/crm/CrmContact.ts"
import { enqueueCrmSync, recordEvents } from "../webhook/Outbox.ts"
import { newLink } from "./LinkContactToCrm.ts"
import { truncateText } from "./ApplyFields.ts"

/** The local contact for a CRM contact. */
export interface LinkedContact {
  readonly contact: Contact
  /**
   * The way in which the contact was determined. `linked`: by an existing link. `found`: by address or number.
   * `created`: it was created.
   */
  readonly how: "linked" | "found" | "created"
}

/** Returns the link of a CRM contact, and the local contact to which it leads after merges. Both may be null. */
export const findLinkedContact = Effect.fnUntraced(function* (
  tenantId: string,
  locationId: string,
  crmContactId: string
) {
  const link = yield* (yield* CrmLinks).ofCrm(tenantId, locationId, crmContactId)
  return { link, contact: link === null ? null : yield* resolveMergedContact(tenantId, link.contactId) }
})

/** Returns the fields of a CRM contact, without an invalid address or number. */
export const profileOfCrm = (tenant: Tenant, { company, email, name, phone }: CrmContact) => {
  const { identities } = identitiesOf({ email, phone }, tenant.config.defaultCountry, parsePhoneMemoized)
  const said = { name: truncateText(name), company: truncateText(company) }
  return { identities, profile: profileOf(identities, said) }
}

/**
 * Stores the link between a local contact and a CRM contact. Nothing is synchronised yet, so the next job treats all
 * values as changed.
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
  yield* enqueueCrmSync({ tenantId: contact.tenantId, locationId: found.locationId }, contact.contactId)
})

/**
 * Determines the local contact for a CRM contact: by its link, otherwise by address and number; otherwise it creates
 * one. Links the two contacts and queues their synchronisation. All imports from the CRM use this function. Runs inside
 * a unit of work.
 */
export const linkCrmContact = Effect.fnUntraced(function* (tenant: Tenant, found: CrmContact) {
  const { tenantId } = tenant
  const there = yield* findLinkedContact(tenantId, found.locationId, found.crmContactId)
  if (there.contact !== null) return { contact: there.contact, how: "linked" } satisfies LinkedContact
  const now = yield* Clock.currentTimeMillis
  const { identities, profile } = profileOfCrm(tenant, found)
  const { change, contact } = yield* resolveContact(tenantId, identities, profile, now)
  yield* keepLink(there.link, contact, found, now)
  if (change !== "none") yield* recordEvents([contactEvent(`contact.${change}`, contact)], now)
  return { contact, how: change === "created" ? "created" : "found" } satisfies LinkedContact
})
