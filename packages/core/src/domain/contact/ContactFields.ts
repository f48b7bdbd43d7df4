import { type Contact, type ContactAttributes, IdentityInvalid } from "./Contact.ts"
import { type Identity, emailIdentity } from "./Identity.ts"
import { parsePhoneMemoized } from "../address/Phone.ts"

/**
 * The fields a person may set on a contact. Null and blank clear a field; absent keeps it. Tags and attributes are
 * replaced as a whole: an attribute may be null, so that a part could not be told from a removal.
 */
export interface ContactFields {
  readonly name?: string | null
  readonly email?: string | null
  readonly phone?: string | null
  readonly notes?: string | null
  readonly company?: string | null
  readonly tags?: ReadonlyArray<string>
  readonly attributes?: ContactAttributes
}

const trimToNull = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? ""
  return trimmed === "" ? null : trimmed
}

/**
 * A tag as it is kept and asked for: trimmed, without what databases spell differently (NUL, and half of a surrogate pair).
 */
export const normalizeTag = (tag: string): string => tag.toWellFormed().replaceAll("\0", "\uFFFD").trim()

/** Each once, in the order given. */
const normalizeTags = (tags: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(tags.map(normalizeTag).filter((tag) => tag !== ""))
]

/** The identities that the address and the number of a contact stand for. */
export const identitiesOfContact = (
  contact: Pick<Contact, "email" | "phone">,
  defaultCountry: string
): ReadonlyArray<Identity> => {
  const email = contact.email === null ? null : emailIdentity(contact.email)
  const phone = contact.phone === null ? null : parsePhoneMemoized(contact.phone, defaultCountry)
  return [...(email === null ? [] : [email]), ...(phone === null ? [] : [{ kind: "phone" as const, value: phone }])]
}

/**
 * The record with the given fields set: the address as `normalizeEmail` has it, the number in E.164. An address or number that is none is
 * an error, because a person is there to correct it.
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
