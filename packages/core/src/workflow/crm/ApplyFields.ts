import { Effect } from "effect"
import { type Contact, IdentityInvalid, maxTags } from "../../domain/contact/Contact.ts"
import { type ContactFields, identitiesOfContact, setFields, normalizeTag } from "../../domain/contact/ContactFields.ts"
import { identityKey, lookupIdentities } from "../../domain/contact/Identity.ts"
import { withCompanyOfNewEmail } from "../contact/LinkCompany.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { type SyncedFields, syncedFieldsOf } from "../../domain/crm/CrmContact.ts"

/** The maximum lengths, in characters, of a name, a company and a tag from the CRM. */
const maxTextLength = 320
const maxTagLength = 100

/** Returns a text from the CRM, cut to the maximum length. */
export const truncateText = (text: string | null): string | null =>
  text?.toWellFormed().replaceAll("\0", "\uFFFD").slice(0, maxTextLength) ?? null

/**
 * Sets a valid address or number, unless another contact has it. In that case, the contact stays unchanged and a merge
 * of the two contacts is suggested.
 */
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
  const reason = `In the CRM, this contact has the ${other.identity.kind} of another contact.`
  yield* contacts.suggestMerge(tenantId, into.contactId, from.contactId, reason, now)
  return contact
})

/**
 * Applies fields from the CRM to a contact. Skips an invalid address or number, and one that another contact has.
 * Returns the updated contact, or the same object when nothing has changed. Runs inside a unit of work.
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
  const changed: Contact = { ...(yield* withCompanyOfNewEmail(before, after)), updatedAt: now }
  const contacts = yield* Contacts
  const has = identitiesOfContact(changed, defaultCountry)
  const kept = new Set(has.map(identityKey))
  const had = identitiesOfContact(before, defaultCountry).filter((identity) => !kept.has(identityKey(identity)))
  yield* contacts.detach(before.tenantId, before.contactId, had)
  yield* contacts.attach(before.tenantId, before.contactId, has, now)
  yield* contacts.update(changed)
  return changed
})
