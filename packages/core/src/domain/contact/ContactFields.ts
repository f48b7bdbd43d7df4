import { type Contact, IdentityInvalid } from "./Contact.ts"
import type { FieldChanges } from "../field/FieldValues.ts"
import { type Identity, emailIdentity } from "./Identity.ts"
import { parsePhoneMemoized } from "../address/Phone.ts"
import { trimToNull } from "../text/TrimToNull.ts"

/**
 * The fields of a contact that a person may set. Null or a blank text clears a field, and an absent field stays
 * unchanged. Tags and attributes are replaced as a whole. Null is a valid attribute value, so it cannot mean "remove
 * this attribute".
 */
export type ContactFields = Partial<
  Pick<Contact, "name" | "email" | "phone" | "notes" | "company" | "tags" | "attributes">
> & {
  /** The custom fields to change. The workflow checks them, because it knows their definitions. */
  readonly customFields?: FieldChanges
  /** The company of the contact; null: none. The workflow checks it. */
  readonly companyId?: string | null
}

/**
 * Normalises a tag for storage and comparison. Trims the tag, and replaces NUL and unpaired surrogates, because
 * databases do not store these reliably.
 */
export const normalizeTag = (tag: string): string => tag.toWellFormed().replaceAll("\0", "\uFFFD").trim()

/** Normalises tags and removes duplicates; keeps the order. */
export const normalizeTags = (tags: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(tags.map(normalizeTag).filter((tag) => tag !== ""))
]

/** Returns the identities from a contact's email address and phone number. */
export const identitiesOfContact = (
  contact: Pick<Contact, "email" | "phone">,
  defaultCountry: string
): ReadonlyArray<Identity> => {
  const email = contact.email === null ? null : emailIdentity(contact.email)
  const phone = contact.phone === null ? null : parsePhoneMemoized(contact.phone, defaultCountry)
  return [...(email === null ? [] : [email]), ...(phone === null ? [] : [{ kind: "phone" as const, value: phone }])]
}

/**
 * Sets the given fields of a contact. Normalises the email address (`normalizeEmail`) and the phone number (E.164).
 * Returns `IdentityInvalid` if one of them is invalid, so that the person who entered the value can correct it.
 */
export const setFields = (
  contact: Contact,
  fields: ContactFields,
  defaultCountry: string
): Contact | IdentityInvalid => {
  const pick = (key: "name" | "email" | "phone" | "notes" | "company") =>
    fields[key] === undefined ? contact[key] : trimToNull(fields[key])
  const written = pick("email")
  const phone = pick("phone")
  const email = written === null ? null : (emailIdentity(written)?.value ?? null)
  if (written !== null && email === null) {
    return new IdentityInvalid({ field: "email", reason: "This is not an email address." })
  }
  const number = phone === null ? null : parsePhoneMemoized(phone, defaultCountry)
  if (phone !== null && number === null) {
    return new IdentityInvalid({
      field: "phone",
      reason: "This is not a phone number. Write it with its country code, for example +14155550123."
    })
  }
  return {
    ...contact,
    name: pick("name"),
    email,
    phone: number,
    notes: pick("notes"),
    company: pick("company"),
    tags: fields.tags === undefined ? contact.tags : normalizeTags(fields.tags),
    attributes: fields.attributes ?? contact.attributes
  }
}
