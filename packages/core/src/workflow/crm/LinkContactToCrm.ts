import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Crm } from "../../port/provider/Crm.ts"
import { CrmLinks } from "../../port/repository/crm/CrmLinks.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import {
  type CrmContact,
  type CrmLink,
  noFields,
  type SyncedFields,
  syncedFieldsOf
} from "../../domain/crm/CrmContact.ts"
import type { CrmInstall } from "../../domain/crm/Location.ts"
import { withAccess } from "./WithAccess.ts"

/**
 * Returns the CRM contact with the contact's address or number. If there is none, creates it. Returns null when the
 * contact has neither.
 */
const findOrMake = Effect.fnUntraced(function* (tenantId: string, locationId: string, contact: Contact) {
  const crm = yield* Crm
  const { company, email, name, phone } = contact
  if (email === null && phone === null) return null
  return yield* withAccess(tenantId, locationId, (access) =>
    Effect.gen(function* () {
      const byEmail = email === null ? null : yield* crm.findContact(access, { email })
      const found = byEmail ?? (phone === null ? null : yield* crm.findContact(access, { phone }))
      if (found !== null) return { remote: found, created: false }
      const made = yield* crm.upsertContact(access, { name, email, phone, company })
      return { remote: made.contact, created: made.created }
    })
  )
})

/** Creates a link. `ours` and `theirs` are the values of both sides that count as already synchronised. */
export const newLink = (
  contact: Pick<Contact, "tenantId" | "contactId">,
  { crmContactId, locationId }: CrmContact,
  { ours, theirs }: { readonly ours: SyncedFields; readonly theirs: SyncedFields },
  now: number
): CrmLink => ({
  tenantId: contact.tenantId,
  locationId,
  crmContactId,
  contactId: contact.contactId,
  ours,
  theirs,
  sending: null,
  version: 1,
  goneAt: null,
  createdAt: now,
  updatedAt: now
})

/**
 * Links a local contact with the CRM contact that has its address or number. If the CRM contact existed before, the
 * next job treats all values of both sides as changed. Returns null when the local contact has neither address nor
 * number. Also returns null when the CRM contact is linked to another local contact; it then suggests merging the two
 * local contacts.
 */
export const linkContactToCrm = Effect.fnUntraced(function* (tenant: Tenant, install: CrmInstall, contact: Contact) {
  const { tenantId } = tenant
  const found = yield* findOrMake(tenantId, install.locationId, contact)
  if (found === null) return null
  const { created, remote } = found
  const now = yield* Clock.currentTimeMillis
  const [links, contacts] = [yield* CrmLinks, yield* Contacts]
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const there = yield* links.ofCrm(tenantId, remote.locationId, remote.crmContactId)
      const owner = there === null ? null : yield* resolveMergedContact(tenantId, there.contactId)
      if (there !== null && owner?.contactId === contact.contactId) return there
      if (there !== null && owner !== null) {
        const pair = [owner, contact].toSorted((one, other) => one.createdAt - other.createdAt)
        const [into, from] = [pair[0] ?? owner, pair[1] ?? contact]
        const reason = "Both contacts match the same contact in the CRM."
        yield* contacts.suggestMerge(tenantId, into.contactId, from.contactId, reason, now)
        return null
      }
      // The CRM contact was created with the local values, so only the tags are not synchronised yet.
      const reported = created
        ? { ours: { ...syncedFieldsOf(contact), tags: [] }, theirs: { ...syncedFieldsOf(remote), tags: [] } }
        : { ours: noFields, theirs: noFields }
      const link = newLink(contact, remote, reported, now)
      if (there === null) yield* links.insert(link)
      else yield* links.replace({ ...link, createdAt: there.createdAt }, there.version)
      return { ...link, version: there === null ? 1 : there.version + 1 }
    })
  )
})
