/**
 * Finds, creates, changes and merges contacts, and reads their lists and timelines. The rules for identities do not
 * belong here (`domain/contact`). Tests: `packages/testkit/src/suite/contact`, `packages/core/test/domain/contact`.
 */
import { Effect } from "effect"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Ids } from "../../port/system/Ids.ts"
import { type Contact, emptyContact } from "../../domain/contact/Contact.ts"
import { type Identity, lookupIdentities } from "../../domain/contact/Identity.ts"
import { withCompany, withCompanyOfNewEmail } from "./LinkCompany.ts"
import { type Holder, resolveSender, type SenderProfile } from "../../domain/contact/Resolve.ts"

/** The contact of a sender, and the change to this contact. */
export interface ResolvedContact {
  readonly contact: Contact
  readonly change: "created" | "updated" | "none"
}

/**
 * Fills empty fields of a contact from the sender's profile, and never overwrites existing values. Returns null when
 * nothing changes.
 */
const completed = (contact: Contact, profile: SenderProfile, now: number): Contact | null => {
  const next = {
    ...contact,
    name: contact.name ?? profile.name,
    email: contact.email ?? profile.email,
    phone: contact.phone ?? profile.phone,
    company: contact.company ?? profile.company,
    archivedAt: null
  }
  const changed =
    next.name !== contact.name ||
    next.email !== contact.email ||
    next.phone !== contact.phone ||
    next.company !== contact.company ||
    contact.archivedAt !== null
  return changed ? { ...next, updatedAt: now } : null
}

/**
 * Removes the address or number of another contact from a sender's profile. Otherwise messages to one contact could
 * reach another one.
 */
const ownProfile = (
  { contactId }: Contact,
  profile: SenderProfile,
  holders: ReadonlyArray<Holder<Contact>>
): SenderProfile => {
  const isForeign = (kind: "email" | "phone") =>
    holders.some(({ contact, identity }) => identity.kind === kind && contact.contactId !== contactId)
  return {
    ...profile,
    email: isForeign("email") ? null : profile.email,
    phone: isForeign("phone") ? null : profile.phone
  }
}

/**
 * Finds or creates a contact like `resolveContact`, but by identities without proof. An existing contact is not changed
 * by these identities. If it got a new identity, an outsider could later write in the contact's name. An archived
 * contact is restored.
 */
export const resolveUnverified = Effect.fnUntraced(function* (
  tenantId: string,
  identities: ReadonlyArray<Identity>,
  profile: SenderProfile,
  now: number
) {
  const contacts = yield* Contacts
  const { use } = resolveSender(identities, yield* contacts.holders(tenantId, lookupIdentities(identities)))
  if (use === null) return yield* resolveContact(tenantId, identities, profile, now)
  if (use.archivedAt === null) return { contact: use, change: "none" } satisfies ResolvedContact
  const contact: Contact = { ...use, archivedAt: null, updatedAt: now }
  yield* contacts.update(contact)
  return { contact, change: "updated" } satisfies ResolvedContact
})

/**
 * Finds the contact that has one of the identities, or creates one. If several contacts have one, the oldest is used,
 * and merges with the others are suggested. An archived contact is restored. Runs inside a unit of work.
 */
export const resolveContact = Effect.fnUntraced(function* (
  tenantId: string,
  identities: ReadonlyArray<Identity>,
  profile: SenderProfile,
  now: number
) {
  const contacts = yield* Contacts
  const holders = identities.length === 0 ? [] : yield* contacts.holders(tenantId, lookupIdentities(identities))
  const resolution = resolveSender(identities, holders)
  if (resolution.use === null) {
    const contactId = yield* (yield* Ids).next("con")
    const contact = yield* withCompany({ ...emptyContact(tenantId, contactId, now), ...profile })
    yield* contacts.insert(contact)
    if (identities.length > 0) yield* contacts.attach(tenantId, contactId, identities, now)
    return { contact, change: "created" } satisfies ResolvedContact
  }
  const found = resolution.use
  if (resolution.add.length > 0) yield* contacts.attach(tenantId, found.contactId, resolution.add, now)
  for (const pair of resolution.suggestMerge) {
    yield* contacts.suggestMerge(tenantId, pair.into, pair.from, pair.reason, now)
  }
  const filled = completed(found, ownProfile(found, profile, holders), now)
  if (filled === null) return { contact: found, change: "none" } satisfies ResolvedContact
  const next = yield* withCompanyOfNewEmail(found, filled)
  yield* contacts.update(next)
  return { contact: next, change: "updated" } satisfies ResolvedContact
})
