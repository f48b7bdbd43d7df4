import { normalizeEmail } from "../address/Address.ts"
import { type PhoneParser, phoneVariants } from "../address/Phone.ts"

/** An email address, phone number or external id that identifies a contact. */
export interface Identity {
  readonly kind: "email" | "phone" | "external"
  /** Normalised: an email address trimmed and in lower case, a phone number in E.164, an external id trimmed. */
  readonly value: string
  /**
   * The source of an external id. The same id from another source is a different identity. Absent for email addresses
   * and phone numbers.
   */
  readonly source?: string
}

/** The data about the sender in a message or form. An empty value means the same as an absent one. */
export interface IdentityClaims {
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly externalId?: string | null | undefined
  /** Required with `externalId`. */
  readonly source?: string | null | undefined
}

/** An invalid claim about the sender. It does not affect the other claims. */
export interface IdentityIssue {
  readonly field: "email" | "phone" | "externalId"
  readonly message: string
}

/**
 * The maximum length of an address in SMTP (RFC 5321 section 4.5.3.1: a path has at most 256 characters including its
 * brackets).
 */
const maxEmailLength = 254
const maxExternalIdLength = 255
const emailPattern = /^[^\s@<>",;]+@[^\s@<>",;]+$/u

/** FROZEN, because keys are stored. Returns the unique key of an identity. The value in a key may contain colons. */
export const identityKey = (identity: Identity): string =>
  identity.kind === "external"
    ? `external:${encodeURIComponent(identity.source ?? "")}:${identity.value}`
    : `${identity.kind}:${identity.value}`

/** Parses the key of an identity. The reverse of `identityKey`. */
export const identityOfKey = (key: string): Identity => {
  const [kind = "", ...rest] = key.split(":")
  if (kind === "email" || kind === "phone") return { kind, value: rest.join(":") }
  const [source = "", ...value] = rest
  return { kind: "external", value: value.join(":"), source: decodeURIComponent(source) }
}

/**
 * Returns an address as an identity, normalised by `normalizeEmail`. Returns null if the text is not one address.
 * Accepts more addresses than `isEmail`: nobody can reply to a sender at `localhost`, but the address still identifies
 * a contact.
 */
export const emailIdentity = (text: string): Identity | null => {
  const value = normalizeEmail(text)
  return value.length <= maxEmailLength && emailPattern.test(value) ? { kind: "email", value } : null
}

const given = (text: string | null | undefined): string => text?.trim() ?? ""

/** Returns the normalised identities of a sender in the order email, phone, external id, and the invalid claims. */
export const identitiesOf = (
  claims: IdentityClaims,
  defaultCountry: string | null,
  parsePhone: PhoneParser
): { readonly identities: ReadonlyArray<Identity>; readonly issues: ReadonlyArray<IdentityIssue> } => {
  const identities: Array<Identity> = []
  const issues: Array<IdentityIssue> = []
  const email = given(claims.email)
  const phone = given(claims.phone)
  const externalId = given(claims.externalId)
  const source = given(claims.source)
  if (email !== "") {
    const identity = emailIdentity(email)
    if (identity === null) issues.push({ field: "email", message: "This is not an email address." })
    else identities.push(identity)
  }
  if (phone !== "") {
    const value = parsePhone(phone, defaultCountry)
    if (value === null) issues.push({ field: "phone", message: "This is not a phone number." })
    else identities.push({ kind: "phone", value })
  }
  if (externalId !== "") {
    if (source === "") issues.push({ field: "externalId", message: "An external id requires a source." })
    else if (externalId.length > maxExternalIdLength)
      issues.push({ field: "externalId", message: `An external id has at most ${maxExternalIdLength} characters.` })
    else identities.push({ kind: "external", value: externalId, source })
  }
  return { identities, issues }
}

/** Returns the identities to look up: the given ones, and the other forms of their phone numbers. */
export const lookupIdentities = (identities: ReadonlyArray<Identity>): ReadonlyArray<Identity> =>
  identities.flatMap((identity) => [
    identity,
    ...(identity.kind === "phone"
      ? phoneVariants(identity.value).map((value): Identity => ({ kind: "phone", value }))
      : [])
  ])
