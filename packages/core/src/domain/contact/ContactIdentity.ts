import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { phoneVariants } from "../address/Phone.ts"
import { encodeUuid, type IdentityId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"
import type { Contact } from "./Contact.ts"
import { emailIdentity, type Identity, identityKey } from "./Identity.ts"

/** The limit of identities of a contact that people add. Messages can add further ones. */
export const maxIdentitiesPerContact = 50

/** The limit of characters of an identity's label. */
export const maxIdentityLabel = 64

/** The details of an identity that people set. */
export interface IdentityDetails {
  /** For example `work`. Null if there is none. */
  readonly label: string | null
  /** The time when a person or an integration confirmed that the identity belongs to the contact; null: never. */
  readonly verifiedAt: number | null
}

/** An identity of a contact as stored. */
export interface StoredIdentity extends IdentityDetails {
  readonly identity: Identity
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** The contact has no identity with this id. */
export class IdentityNotFound extends TaggedError("IdentityNotFound")<{ readonly identityId: string }> {}

/** The contact has the maximum number of identities. */
export class IdentityLimitReached extends TaggedError("IdentityLimitReached")<{ readonly limit: number }> {}

/** An external id cannot be the primary address or number of a contact. */
export class IdentityNotReachable extends TaggedError("IdentityNotReachable")<{ readonly identityId: string }> {}

/** Replaces NUL, as Postgres does, so that the id of an identity stays the same when a database is copied. */
const storable = (key: string): string => key.replaceAll("\0", "\uFFFD")

/**
 * FROZEN, because clients store ids. Derives the id of an identity from its tenant and key. The id is therefore the
 * same after a merge and its undo, and it contains no address.
 */
export const identityIdOf = (tenantId: string, identity: Identity): IdentityId =>
  `idn_${encodeUuid(sha256(utf8ToBytes(`${tenantId}\n${storable(identityKey(identity))}`)).subarray(0, 16))}`

type Reach = Pick<Contact, "email" | "phone">

/** Returns the identity among `identities` that is the contact's `email` or `phone`; null if there is none. */
const primaryOf = (contact: Reach, kind: "email" | "phone", identities: ReadonlyArray<Identity>): Identity | null => {
  const written = contact[kind]
  if (written === null) return null
  const value = kind === "email" ? emailIdentity(written)?.value : written
  const ofKind = identities.filter((identity) => identity.kind === kind)
  const otherForms = kind === "phone" ? phoneVariants(written) : []
  return (
    ofKind.find((identity) => identity.value === value) ??
    ofKind.find((identity) => otherForms.includes(identity.value)) ??
    null
  )
}

/** Returns whether an identity is the primary one of its kind: the contact's `email` or `phone`. */
export const isPrimary = (contact: Reach, identity: Identity, identities: ReadonlyArray<Identity>): boolean =>
  identity.kind !== "external" && primaryOf(contact, identity.kind, identities) === identity

/**
 * Returns a contact without an `email` or `phone` that no contact has as an identity any more. The oldest of its own
 * identities of the same kind replaces the value. `isHeld` returns whether a contact has an identity of this kind. A
 * phone number without a valid form is not an identity, and stays.
 */
export const withHeldPrimaries = (
  contact: Contact,
  isHeld: (kind: "email" | "phone") => boolean,
  own: ReadonlyArray<Identity>
): Contact => {
  const held = (kind: "email" | "phone"): string | null =>
    contact[kind] === null || isHeld(kind)
      ? contact[kind]
      : (own.find((identity) => identity.kind === kind)?.value ?? null)
  return { ...contact, email: held("email"), phone: held("phone") }
}
