import { Effect } from "effect"
import { type Contact, IdentityInvalid, maxTags } from "../../domain/contact/Contact.ts"
import { type ContactFields, identitiesOfContact, setFields, normalizeTag } from "../../domain/contact/ContactFields.ts"
import { identityKey, lookupIdentities } from "../../domain/contact/Identity.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import type { SyncedFields } from "../../domain/crm/CrmContact.ts"

/** Longest name and company, and longest tag, that are taken from outside. */
const maxTextLength = 320
const maxTagLength = 100

/** What our contact says of what is brought together. */
export const syncedFieldsOf = ({ company, email, name, phone, tags }: SyncedFields): SyncedFields => ({
  name,
  email,
  phone,
  company,
  tags
})

/** A text from outside, no longer than it is taken. */
export const truncateText = (text: string | null): string | null =>
  text?.toWellFormed().replaceAll("\0", "\uFFFD").slice(0, maxTextLength) ?? null

/** Sets an address or number when it is one and nobody else holds it; who does is suggested for merging. */
const applyIdentity = Effect.fnUntraced(function* (
  contact: Contact,
  fields: Pick<ContactFields, "email"> | Pick<ContactFields, "phone">,
  defaultCountry: string,
  now: number
) {
  const changed = setFields(contact, fields, defaultCountry)
  if (changed instanceof IdentityInvalid) return contact
  const contacts = yield* Contacts
  const { contactId, tenantId } = contact
  const holders = yield* contacts.holders(tenantId, lookupIdentities(identitiesOfContact(changed, defaultCountry)))
  const other = holders.find((holder) => holder.contact.contactId !== contactId)
  if (other === undefined) return changed
  const pair = [other.contact, contact].toSorted((one, two) => one.createdAt - two.createdAt)
  const [into, from] = [pair[0] ?? contact, pair[1] ?? contact]
  const reason = `The CRM gives this contact the ${other.identity.kind} of another.`
  yield* contacts.suggestMerge(tenantId, into.contactId, from.contactId, reason, now)
  return contact
})

/**
 * Sets what a contact is to say, as far as it can be: an address or number that is none, or that another contact holds,
 * is left. Answers the contact as it is then; the same one when nothing changed. Runs inside a unit of work.
 */
export const applyFields = Effect.fnUntraced(function* (
  before: Contact,
  wanted: SyncedFields,
  defaultCountry: string,
  now: number
) {
  const tags = wanted.tags.map((tag) => normalizeTag(tag).slice(0, maxTagLength)).slice(0, maxTags)
  const plain = setFields(
    before,
    {
      ...(wanted.name === before.name ? {} : { name: truncateText(wanted.name) }),
      ...(wanted.company === before.company ? {} : { company: truncateText(wanted.company) }),
      tags
    },
    defaultCountry
  )
  let after = plain instanceof IdentityInvalid ? before : plain
  if (wanted.email !== before.email) after = yield* applyIdentity(after, { email: wanted.email }, defaultCountry, now)
  if (wanted.phone !== before.phone) after = yield* applyIdentity(after, { phone: wanted.phone }, defaultCountry, now)
  if (JSON.stringify(syncedFieldsOf(after)) === JSON.stringify(syncedFieldsOf(before))) return before
  const changed: Contact = { ...after, updatedAt: now }
  const contacts = yield* Contacts
  const has = identitiesOfContact(changed, defaultCountry)
  const kept = new Set(has.map(identityKey))
  const had = identitiesOfContact(before, defaultCountry).filter((identity) => !kept.has(identityKey(identity)))
  yield* contacts.detach(before.tenantId, before.contactId, had)
  yield* contacts.attach(before.tenantId, before.contactId, has, now)
  yield* contacts.update(changed)
  return changed
})
