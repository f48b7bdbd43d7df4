import { type Company, companyDomainsOf, companyOfDomains } from "../company/Company.ts"
import { type Contact, emptyContact, IdentityInvalid, maxTags } from "../contact/Contact.ts"
import { contactEvent } from "../contact/ContactEvent.ts"
import { identitiesOfContact, setFields } from "../contact/ContactFields.ts"
import { type Identity, identityKey, lookupIdentities } from "../contact/Identity.ts"
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
  readonly companies: ReadonlyArray<Company>
  readonly changes: Map<ContactId, ImportedContact>
  readonly events: Array<NewEvent>
}

/** Creates the set of the stored contacts that have identities of the records. */
export const importSet = (holders: ReadonlyArray<Holder<Contact>>, companies: ReadonlyArray<Company>): ImportSet => ({
  owners: new Map(holders.map(({ contact, identity }) => [identityKey(identity), contact.contactId])),
  contacts: new Map(holders.map(({ contact }) => [contact.contactId, contact])),
  companies,
  changes: new Map(),
  events: []
})

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

/** Checks a record alone. `contactId` is the id of the contact that it may create. */
export const readCandidate = (scope: ImportScope, row: ImportedRow, contactId: ContactId): Candidate | RowError => {
  const long = tooLong(row)
  if (long !== null) return long
  const fresh = merged(emptyContact(scope.of.tenantId, contactId, scope.now), row, scope)
  if ("message" in fresh) return fresh
  const identities = identitiesOfContact(fresh, scope.defaultCountry)
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
  const held = lookupIdentities(identities).flatMap(({ kind, ...rest }) => {
    const owner = set.owners.get(identityKey({ kind, ...rest }))
    return owner === undefined ? [] : [{ kind, owner }]
  })
  const [owner, other] = new Set(held.map((one) => one.owner))
  if (other !== undefined)
    return fail("", "The email and the phone belong to two different contacts. Merge them first.")
  const holder = owner === undefined ? undefined : set.contacts.get(owner)
  if (holder === undefined) {
    if (!dryRun) change(set, scope, null, fresh, identities)
    return "created"
  }
  if (onConflict === "skip") return "skipped"
  const changed = merged(holder, row, scope)
  if ("message" in changed) return changed
  const kinds = new Set(held.map(({ kind }) => kind))
  const added = identities.filter(({ kind }) => !kinds.has(kind))
  if (!dryRun) change(set, scope, holder, { ...changed, archivedAt: null }, added)
  return "updated"
}
