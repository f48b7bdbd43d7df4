import { Effect } from "effect"
import { type Contact, IdentityInvalid, maxTags } from "../../domain/contact/Contact.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { identitiesOfContact, setFields } from "../../domain/contact/ContactFields.ts"
import { type Identity, identityKey, lookupIdentities } from "../../domain/contact/Identity.ts"
import type { CustomField } from "../../domain/field/CustomField.ts"
import { FieldValueInvalid, setFieldValues } from "../../domain/field/FieldValues.ts"
import type { ContactImport, ImportError } from "../../domain/import/ContactImport.ts"
import type { ImportedRow } from "../../domain/import/ImportMapping.ts"
import { ContactImports } from "../../port/repository/contact/ContactImports.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Ids } from "../../port/system/Ids.ts"
import { withCompany } from "../contact/LinkCompany.ts"
import { recordEvents } from "../webhook/Outbox.ts"

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

/** The result of one record. */
export type RowOutcome = "created" | "updated" | "skipped" | Omit<ImportError, "line">

const fail = (field: string, message: string) => ({ field, message })

const blank = (tenantId: string, contactId: Contact["contactId"], now: number): Contact => ({
  contactId,
  tenantId,
  name: null,
  email: null,
  phone: null,
  company: null,
  notes: null,
  tags: [],
  attributes: {},
  customFields: {},
  companyId: null,
  createdAt: now,
  updatedAt: now,
  archivedAt: null,
  mergedInto: null
})

const tooLong = ({ fields, tags }: ImportedRow): ReturnType<typeof fail> | null => {
  for (const [field, limit] of Object.entries(limits)) {
    const { [field]: value }: Readonly<Record<string, string>> = fields
    if (value !== undefined && value.length > limit) return fail(field, `At most ${limit} characters are allowed.`)
  }
  return tags.some((tag) => tag.length > maxTagLength)
    ? fail("tags", `A tag has at most ${maxTagLength} characters.`)
    : null
}

/** Sets the values of a record in a contact. An existing email address or number stays the primary one. */
const merged = (contact: Contact, row: ImportedRow, { definitions, defaultCountry }: ImportScope) => {
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

/** Stores an imported contact with its new identities, and the change for the undo. */
const store = Effect.fnUntraced(function* (
  { now, of }: ImportScope,
  before: Contact | null,
  changed: Contact,
  added: ReadonlyArray<Identity>
) {
  const contacts = yield* Contacts
  const after = { ...(yield* withCompany(changed)), updatedAt: now }
  yield* before === null ? contacts.insert(after) : contacts.update(after)
  yield* contacts.attach(after.tenantId, after.contactId, added, now)
  const { contactId, tenantId } = after
  const identities = added.map(identityKey)
  yield* (yield* ContactImports).record(tenantId, of.importId, { contactId, before, after, identities })
  yield* recordEvents([contactEvent(before === null ? "contact.created" : "contact.updated", after)], now)
})

/**
 * Imports one record: creates a contact, or changes the contact that has its email address or number. A dry run changes
 * nothing. Runs inside a unit of work.
 */
export const importRow = Effect.fnUntraced(function* (scope: ImportScope, row: ImportedRow) {
  const { defaultCountry, now, of } = scope
  const { dryRun, onConflict, tenantId } = of
  const long = tooLong(row)
  if (long !== null) return long
  const fresh = blank(tenantId, yield* (yield* Ids).next("con"), now)
  const written = merged(fresh, row, scope)
  if ("message" in written) return written
  const identities = identitiesOfContact(written, defaultCountry)
  if (identities.length === 0 && written.name === null)
    return fail("", "A contact requires a name, an email or a phone.")
  const holders = yield* (yield* Contacts).holders(tenantId, lookupIdentities(identities))
  const [holder, other] = [...new Map(holders.map(({ contact }) => [contact.contactId, contact])).values()]
  if (other !== undefined)
    return fail("", "The email and the phone belong to two different contacts. Merge them first.")
  if (holder === undefined) {
    if (!dryRun) yield* store(scope, null, written, identities)
    return "created" as const
  }
  if (onConflict === "skip") return "skipped" as const
  const changed = merged(holder, row, scope)
  if ("message" in changed) return changed
  const held = new Set(holders.map(({ identity }) => identity.kind))
  const added = identities.filter(({ kind }) => !held.has(kind))
  if (!dryRun) yield* store(scope, holder, { ...changed, archivedAt: null }, added)
  return "updated" as const
})
