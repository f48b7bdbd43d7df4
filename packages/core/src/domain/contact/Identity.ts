import { normalizeEmail } from "../address/Address.ts"
import { type PhoneParser, phoneVariants } from "../address/Phone.ts"

/** Something a contact is recognised by. */
export interface Identity {
  readonly kind: "email" | "phone" | "external"
  /** Normalised: an email trimmed and in lower case, a phone in E.164, an external id trimmed. */
  readonly value: string
  /** Who gave an external id; the same id from another source is another identity. Absent on the other kinds. */
  readonly source?: string
}

/** What a message or form says about its sender. Empty and absent values are the same. */
export interface IdentityClaims {
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly externalId?: string | null | undefined
  /** Needed for `externalId`. */
  readonly source?: string | null | undefined
}

/** A claim that could not be read; the others still count. */
export interface IdentityIssue {
  readonly field: "email" | "phone" | "externalId"
  readonly message: string
}

/** Longest address that SMTP can carry (RFC 5321 section 4.5.3.1: path of 256 with its brackets). */
const maxEmailLength = 254
const maxExternalIdLength = 255
const emailPattern = /^[^\s@<>",;]+@[^\s@<>",;]+$/u

/** FROZEN: stored as a key. One text for one identity, to compare and to index by. Colons in the value stay. */
export const identityKey = (identity: Identity): string =>
  identity.kind === "external"
    ? `external:${encodeURIComponent(identity.source ?? "")}:${identity.value}`
    : `${identity.kind}:${identity.value}`

/** The identity behind its key. */
export const identityOfKey = (key: string): Identity => {
  const [kind = "", ...rest] = key.split(":")
  if (kind === "email" || kind === "phone") return { kind, value: rest.join(":") }
  const [source = "", ...value] = rest
  return { kind: "external", value: value.join(":"), source: decodeURIComponent(source) }
}

/**
 * The address as an identity, in the form of `normalizeEmail`; null when it is not one address. Laxer than `isEmail`: a
 * sender at `localhost` cannot be written to, but is somebody.
 */
export const emailIdentity = (text: string): Identity | null => {
  const value = normalizeEmail(text)
  return value.length <= maxEmailLength && emailPattern.test(value) ? { kind: "email", value } : null
}

const given = (text: string | null | undefined): string => text?.trim() ?? ""

/** The identities a sender claims, normalised, and the claims that are none. Order: email, phone, external id. */
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
    if (source === "") issues.push({ field: "externalId", message: "An external id needs its source." })
    else if (externalId.length > maxExternalIdLength)
      issues.push({ field: "externalId", message: `An external id has at most ${maxExternalIdLength} characters.` })
    else identities.push({ kind: "external", value: externalId, source })
  }
  return { identities, issues }
}

/** The identities and, for phones, their other spellings: what to ask the store for. */
export const lookupIdentities = (identities: ReadonlyArray<Identity>): ReadonlyArray<Identity> =>
  identities.flatMap((identity) => [
    identity,
    ...(identity.kind === "phone"
      ? phoneVariants(identity.value).map((value): Identity => ({ kind: "phone", value }))
      : [])
  ])
