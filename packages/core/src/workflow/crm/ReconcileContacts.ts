import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { lookupIdentities } from "../../domain/contact/Identity.ts"
import { resolveSender } from "../../domain/contact/Resolve.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { CrmLinks } from "../../port/repository/crm/CrmLinks.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type CrmContact, syncedFieldsOf } from "../../domain/crm/CrmContact.ts"
import { syncId } from "../../domain/crm/CrmJob.ts"
import type { CrmInstall } from "../../domain/crm/Location.ts"
import { enqueueCrmSync } from "../webhook/Outbox.ts"
import { counted, type FirstSyncCounts, noCounts } from "../../domain/crm/FirstSync.ts"
import { findLinkedContact, linkCrmContact, profileOfCrm } from "./LinkCrmContact.ts"
import { isEcho, saysSame } from "../../domain/crm/ThreeWay.ts"

/** Queues the synchronisation of a linked contact, if the list contains new values for it. */
const reconcileLinked = Effect.fnUntraced(function* (tenant: Tenant, found: CrmContact) {
  const { crmContactId, locationId } = found
  const { tenantId } = tenant
  const { contact, link } = yield* findLinkedContact(tenantId, locationId, crmContactId)
  if (link === null || contact === null) return null
  if (link.goneAt !== null) return { left: 1 }
  const said = { ...syncedFieldsOf(found), smsOptOut: found.smsOptOut }
  if (!isEcho(said, link)) yield* enqueueCrmSync({ tenantId, locationId }, contact.contactId)
  return {}
})

/**
 * Reconciles one CRM contact of a list with the local contacts. Skips a contact without address and number, because it
 * cannot be matched. Skips a contact that is archived locally, because an entry in a list is no sign of activity.
 */
const reconcileCrmContact = Effect.fnUntraced(function* (tenant: Tenant, found: CrmContact) {
  const known = yield* reconcileLinked(tenant, found)
  if (known !== null) return known
  const { identities } = profileOfCrm(tenant, found)
  if (identities.length === 0) return { left: 1 }
  const holders = yield* (yield* Contacts).holders(tenant.tenantId, lookupIdentities(identities))
  const archivedAt = resolveSender(identities, holders).use?.archivedAt ?? null
  if (archivedAt !== null) return { left: 1 }
  const { how } = yield* linkCrmContact(tenant, found)
  return how === "created" ? { created: 1 } : { found: 1 }
})

/**
 * Finds or creates the local contacts for CRM contacts, and queues their synchronisation. Runs inside a unit of work.
 */
export const reconcileCrmContacts = Effect.fnUntraced(function* (tenant: Tenant, page: ReadonlyArray<CrmContact>) {
  let counts: FirstSyncCounts = { ...noCounts, theirs: page.length }
  for (const found of page) counts = counted(counts, yield* reconcileCrmContact(tenant, found))
  return counts
})

/** Queues the synchronisation of a local contact, if the location does not have it or has older values. */
const reconcileOwnContact = Effect.fnUntraced(function* ({ locationId }: CrmInstall, contact: Contact) {
  const { contactId, email, phone, tenantId } = contact
  const links = (yield* (yield* CrmLinks).ofContact(tenantId, contactId)).filter(
    (link) => link.locationId === locationId
  )
  const unknown = links.length === 0
  if (unknown ? email === null && phone === null : links.every(({ goneAt }) => goneAt !== null)) return { left: 1 }
  const said = syncedFieldsOf(contact)
  if (!unknown && links.every(({ goneAt, ours }) => goneAt !== null || saysSame(ours, said))) return {}
  const jobs = yield* Jobs
  const jobId = syncId(locationId, contactId)
  if ((yield* jobs.waiting(tenantId, jobId)) > 0) return {}
  const now = yield* Clock.currentTimeMillis
  const job = { kind: "crm_sync", locationId, contactId } as const
  yield* jobs.put({ tenantId, jobId, dueAt: now, createdAt: now, job })
  return { sent: 1 }
})

/** Queues the synchronisation of local contacts with a location. Runs inside a unit of work. */
export const reconcileOwnContacts = Effect.fnUntraced(function* (install: CrmInstall, page: ReadonlyArray<Contact>) {
  let counts: FirstSyncCounts = { ...noCounts, ours: page.length }
  for (const contact of page) counts = counted(counts, yield* reconcileOwnContact(install, contact))
  return counts
})
