import { type Company, companyDomainsOf, companyOfDomains } from "../company/Company.ts"
import { type Contact, emptyContact, IdentityInvalid, maxTags } from "../contact/Contact.ts"
import { contactEvent } from "../contact/ContactEvent.ts"
import { identitiesOfContact, setFields } from "../contact/ContactFields.ts"
import { maxIdentitiesPerContact } from "../contact/ContactIdentity.ts"
import { emailIdentity, type Identity, identityKey, lookupIdentities } from "../contact/Identity.ts"
import { parsePhoneMemoized } from "../address/Phone.ts"
import type { Holder } from "../contact/Resolve.ts"
import type { CustomField } from "../field/CustomField.ts"
import { FieldValueInvalid, setFieldValues } from "../field/FieldValues.ts"
import type { ContactId } from "../Id.ts"
import type { NewEvent } from "../webhook/Event.ts"
import type { ContactImport, ImportedContact, ImportError } from "./ContactImport.ts"
import type { ImportedRow } from "./ImportMapping.ts"

/** The limits of texts in characters. */
const limits = { name: 320, email: 320, phone: 320, company: 320, notes: 20_000 } as const

const maxTagLength = 64

/** A running import and the definitions that its rows need. */
export interface ImportScope {
  readonly of: ContactImport
  readonly definitions: ReadonlyArray<CustomField>
  readonly defaultCountry: string
  readonly now: number
}

/** The error of one record, without its line. */
export type RowError = Omit<ImportError, "line">

/** The result of one record. */
export type RowOutcome = "created" | "updated" | "skipped" | RowError

/** A valid record: the contact that it would create, and the identities of this contact. */
export interface Candidate {
  readonly row: ImportedRow
  readonly fresh: Contact
  readonly identities: ReadonlyArray<Identity>
}

/** The contacts and companies to which a set of records refers, with the changes by these records. */
export interface ImportSet {
  /** The contact of each identity, by the key of the identity. */
  readonly owners: Map<string, ContactId>
  readonly contacts: Map<ContactId, Contact>
  /** The number of identities of each contact. */
  readonly identityCounts: Map<ContactId, number>
  readonly companies: ReadonlyArray<Company>
  readonly changes: Map<ContactId, ImportedContact>
  readonly events: Array<NewEvent>
}

/** Creates the set of the stored contacts that have identities of the records. */
export const importSet = (
  holders: ReadonlyArray<Holder<Contact>>,
  identityCounts: ReadonlyMap<ContactId, number>,
  companies: ReadonlyArray<Company>
): ImportSet => ({
  owners: new Map(holders.map(({ contact, identity }) => [identityKey(identity), contact.contactId])),
  contacts: new Map(holders.map(({ contact }) => [contact.contactId, contact])),
  identityCounts: new Map(identityCounts),
  companies,
  changes: new Map(),
  events: []
})

const tooManyIdentities = `A contact has at most ${maxIdentitiesPerContact} addresses and numbers.`

const fail = (field: string, message: string): RowError => ({ field, message })

const tooLong = ({ fields, tags }: ImportedRow): RowError | null => {
  for (const [field, limit] of Object.entries(limits)) {
    const { [field]: value }: Readonly<Record<string, string>> = fields
    if (value !== undefined && value.length > limit) return fail(field, `At most ${limit} characters are allowed.`)
  }
  return tags.some((tag) => tag.length > maxTagLength)
    ? fail("tags", `A tag has at most ${maxTagLength} characters.`)
    : null
}

/** Sets the values of a record in a contact. An existing email address or number stays the primary one. */
const merged = (
  contact: Contact,
  row: ImportedRow,
  { definitions, defaultCountry }: ImportScope
): Contact | RowError => {
  const { email, phone, ...others } = row.fields
  const named = setFields(
    contact,
    { ...others, ...(contact.email === null && { email }), ...(contact.phone === null && { phone }) },
    defaultCountry
  )
  if (named instanceof IdentityInvalid) return fail(named.field, named.reason)
  const tagged = setFields(named, { tags: [...contact.tags, ...row.tags] }, defaultCountry)
  if (tagged instanceof IdentityInvalid || tagged.tags.length > maxTags)
    return fail("tags", `A contact has at most ${maxTags} tags.`)
  if (Object.keys(row.customFields).length === 0) return tagged
  const customFields = setFieldValues(definitions, contact.customFields, row.customFields)
  return customFields instanceof FieldValueInvalid
    ? fail(`custom_fields.${customFields.key}`, customFields.reason)
    : { ...tagged, customFields }
}

/** Returns the identities of the columns with several values, or the error of an invalid value. */
const readOthers = ({ otherEmails, otherPhones }: ImportedRow, country: string): ReadonlyArray<Identity> | RowError => {
  const emails = otherEmails.map(emailIdentity)
  if (emails.includes(null)) return fail("other_emails", "One of the values is not an email address.")
  const numbers = otherPhones.map((phone) => parsePhoneMemoized(phone, country))
  if (numbers.includes(null)) return fail("other_phones", "One of the values is not a phone number.")
  const phones = numbers.map((value) => (value === null ? null : { kind: "phone" as const, value }))
  return [...emails, ...phones].filter((identity) => identity !== null)
}

/** Removes repeated identities; keeps the order. */
const distinct = (identities: ReadonlyArray<Identity>): ReadonlyArray<Identity> => [
  ...new Map(identities.map((identity) => [identityKey(identity), identity])).values()
]

/** Checks a record alone. `contactId` is the id of the contact that it may create. */
export const readCandidate = (scope: ImportScope, row: ImportedRow, contactId: ContactId): Candidate | RowError => {
  const long = tooLong(row)
  if (long !== null) return long
  const fresh = merged(emptyContact(scope.of.tenantId, contactId, scope.now), row, scope)
  if ("message" in fresh) return fresh
  const others = readOthers(row, scope.defaultCountry)
  if ("message" in others) return others
  const identities = distinct([...identitiesOfContact(fresh, scope.defaultCountry), ...others])
  if (identities.length > maxIdentitiesPerContact) return fail("", tooManyIdentities)
  return identities.length === 0 && fresh.name === null
    ? fail("", "A contact requires a name, an email or a phone.")
    : { row, fresh, identities }
}

/** Returns a contact with the company of its email domain, if it may get one automatically. */
const withCompany = (contact: Contact, companies: ReadonlyArray<Company>): Contact => {
  if (contact.companyId !== null || contact.companyRemoved) return contact
  const company = companyOfDomains(companies, companyDomainsOf(contact.email))
  return company === null ? contact : { ...contact, companyId: company.companyId }
}

/** Adds the change of a contact and its new identities to a set. Later records of the set see them. */
const change = (
  set: ImportSet,
  { now }: ImportScope,
  before: Contact | null,
  changed: Contact,
  added: ReadonlyArray<Identity>
): void => {
  const after = { ...withCompany(changed, set.companies), updatedAt: now }
  const { contactId } = after
  const earlier = set.changes.get(contactId) ?? { before, identities: [] }
  const keys = added.map(identityKey)
  set.contacts.set(contactId, after)
  for (const key of keys) set.owners.set(key, contactId)
  set.identityCounts.set(contactId, (set.identityCounts.get(contactId) ?? 0) + keys.length)
  set.changes.set(contactId, {
    contactId,
    before: earlier.before,
    after,
    identities: [...earlier.identities, ...keys]
  })
  set.events.push(contactEvent(before === null ? "contact.created" : "contact.updated", after))
}

/**
 * Imports one record into a set: creates a contact, or changes the contact that has its email address or number. A dry
 * run changes nothing, so it does not recognise two records of the same contact.
 */
export const importRow = (set: ImportSet, scope: ImportScope, { fresh, identities, row }: Candidate): RowOutcome => {
  const { dryRun, onConflict } = scope.of
  const ownersOf = (identity: Identity): ReadonlyArray<ContactId> =>
    lookupIdentities([identity]).flatMap((one) => set.owners.get(identityKey(one)) ?? [])
  const [owner, other] = new Set(identities.flatMap(ownersOf))
  if (other !== undefined)
    return fail("", "The addresses and numbers belong to two different contacts. Merge them first.")
  const holder = owner === undefined ? undefined : set.contacts.get(owner)
  if (holder === undefined) {
    if (!dryRun) change(set, scope, null, fresh, identities)
    return "created"
  }
  if (onConflict === "skip") return "skipped"
  const changed = merged(holder, row, scope)
  if ("message" in changed) return changed
  const added = identities.filter((identity) => ownersOf(identity).length === 0)
  if ((set.identityCounts.get(holder.contactId) ?? 0) + added.length > maxIdentitiesPerContact)
    return fail("", tooManyIdentities)
  if (!dryRun) change(set, scope, holder, { ...changed, archivedAt: null }, added)
  return "updated"
}
