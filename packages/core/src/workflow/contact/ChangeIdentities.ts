import { Clock, Effect } from "effect"
import { type Contact, ContactExists, IdentityInvalid } from "../../domain/contact/Contact.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { identitiesOfContact } from "../../domain/contact/ContactFields.ts"
import {
  type IdentityDetails,
  IdentityLimitReached,
  IdentityNotFound,
  IdentityNotReachable,
  maxIdentitiesPerContact,
  withHeldPrimaries
} from "../../domain/contact/ContactIdentity.ts"
import { emailIdentity, type Identity, identityKey, lookupIdentities } from "../../domain/contact/Identity.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { trimToNull } from "../../domain/text/TrimToNull.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Identities } from "../../port/repository/contact/Identities.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { withCompanyOfNewEmail } from "./LinkCompany.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { type ContactIdentity, identitiesOfRecord } from "./ReadIdentities.ts"
import { recordActivity } from "./RecordActivity.ts"
import { requireUnmergedContact } from "./ResolveMergedContact.ts"
import { clearUndeliverable } from "./Undeliverable.ts"
import { withSpan } from "../WithSpan.ts"

/** The properties of an identity that a person changes. Absent ones stay. */
export interface IdentityChanges {
  readonly label?: string | null
  readonly verified?: boolean
  /** True makes the identity the contact's `email` or `phone`. Only another primary identity can replace it. */
  readonly primary?: true
  /** Null deletes the record that messages cannot be delivered. */
  readonly undeliverable?: null
}

/** A new identity of a contact. */
export interface NewIdentity extends IdentityChanges {
  readonly kind: "email" | "phone"
  readonly value: string
}

const parse = ({ kind, value }: NewIdentity, defaultCountry: string): Identity | IdentityInvalid => {
  if (kind === "email") {
    return emailIdentity(value) ?? new IdentityInvalid({ field: "value", reason: "This is not an email address." })
  }
  const phone = parsePhoneMemoized(value, defaultCountry)
  if (phone !== null) return { kind, value: phone }
  const reason = "This is not a phone number. Write it with its country code, for example +14155550123."
  return new IdentityInvalid({ field: "value", reason })
}

const detailsAfter = (before: IdentityDetails, { label, verified }: IdentityChanges, now: number): IdentityDetails => ({
  label: label === undefined ? before.label : trimToNull(label),
  verifiedAt: verified === undefined ? before.verifiedAt : verified ? (before.verifiedAt ?? now) : null
})

/** Applies changes to an identity of a contact, inside a unit of work. */
const apply = Effect.fnUntraced(function* (
  contact: Contact,
  { identity, identityId, ...before }: ContactIdentity,
  changes: IdentityChanges,
  now: number
) {
  const { tenantId } = contact
  yield* (yield* Identities).describe(tenantId, identity, detailsAfter(before, changes, now))
  if (changes.undeliverable === null) yield* clearUndeliverable(tenantId, identity.value)
  if (changes.primary !== true || before.primary) return contact
  if (identity.kind === "external") return yield* new IdentityNotReachable({ identityId })
  return { ...contact, [identity.kind]: identity.value }
})

/** Stores a contact after a change of its identities with the company of a new address, and reports the change. Runs inside the unit of the change. */
const save = Effect.fnUntraced(function* (
  before: Contact,
  changed: Contact,
  type: "identity_added" | "identity_changed" | "identity_removed",
  { kind, value }: Identity,
  now: number
) {
  const contact: Contact = { ...(yield* withCompanyOfNewEmail(before, changed)), updatedAt: now }
  const { contactId, tenantId } = contact
  yield* (yield* Contacts).update(contact)
  const data = { kind, value }
  yield* recordActivity({ tenantId, contactId, leadId: null, type, actor: "agent", at: now, data })
  yield* recordEvents([contactEvent("contact.updated", contact)], now)
  return contact
})

const require = (identities: ReadonlyArray<ContactIdentity>, identityId: string) => {
  const found = identities.find((one) => one.identityId === identityId)
  return found === undefined ? Effect.fail(new IdentityNotFound({ identityId })) : Effect.succeed(found)
}

/** Returns the identity of a contact after a change. */
const reread = Effect.fnUntraced(function* (contact: Contact, { identityId }: Pick<ContactIdentity, "identityId">) {
  return yield* require(yield* identitiesOfRecord(contact), identityId)
})

/** Assigns an identity to a contact. Fails with `ContactExists` when another contact has it. */
const attach = Effect.fnUntraced(function* (contact: Contact, identity: Identity, now: number) {
  const { contactId, tenantId } = contact
  const contacts = yield* Contacts
  const holders = yield* contacts.holders(tenantId, lookupIdentities([identity]))
  const other = holders.find((holder) => holder.contact.contactId !== contactId)
  if (other !== undefined) {
    return yield* new ContactExists({ contactId: other.contact.contactId, identity: identityKey(other.identity) })
  }
  const known = yield* identitiesOfRecord(contact)
  const held = known.find((one) => identityKey(one.identity) === identityKey(holders[0]?.identity ?? identity))
  if (held !== undefined) return held
  if (known.length >= maxIdentitiesPerContact)
    return yield* new IdentityLimitReached({ limit: maxIdentitiesPerContact })
  yield* contacts.attach(tenantId, contactId, [identity], now)
  const added = (yield* identitiesOfRecord(contact)).find((one) => identityKey(one.identity) === identityKey(identity))
  return added ?? (yield* Effect.die(new Error("An attached identity is missing.")))
})

/**
 * Adds an email address or phone number to a contact. The first identity of its kind becomes the primary one. An
 * identity that the contact already has only gets the given properties.
 */
export const addIdentity = Effect.fnUntraced(function* (tenantId: string, contactId: string, added: NewIdentity) {
  const { config } = yield* (yield* Tenants).get(tenantId)
  const identity = parse(added, config.defaultCountry)
  if (identity instanceof IdentityInvalid) return yield* identity
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const contact = yield* requireUnmergedContact(tenantId, contactId)
      const attached = yield* attach(contact, identity, now)
      const primary = added.primary === true || contact[added.kind] === null
      const changes = { ...added, ...(primary && { primary: true as const }) }
      const changed = yield* apply(contact, attached, changes, now)
      const after = yield* save(contact, changed, "identity_added", identity, now)
      return yield* reread(after, attached)
    })
  )
}, withSpan("addIdentity"))

/** Changes the given properties of an identity. */
export const updateIdentity = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  identityId: string,
  changes: IdentityChanges
) {
  yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const contact = yield* requireUnmergedContact(tenantId, contactId)
      const before = yield* require(yield* identitiesOfRecord(contact), identityId)
      const changed = yield* apply(contact, before, changes, now)
      return yield* reread(yield* save(contact, changed, "identity_changed", before.identity, now), before)
    })
  )
}, withSpan("updateIdentity"))

/**
 * Replaces an `email` or `phone` of a contact that no contact has as an identity any more. Runs inside a unit of work,
 * after the identities have changed.
 */
export const replaceLostPrimaries = Effect.fnUntraced(function* (contact: Contact, defaultCountry: string) {
  const { contactId, tenantId } = contact
  const written = identitiesOfContact(contact, defaultCountry)
  const holders = yield* (yield* Contacts).holders(tenantId, lookupIdentities(written))
  const lost = written.filter(({ kind }) => !holders.some((holder) => holder.identity.kind === kind))
  if (lost.length === 0) return contact
  const own = yield* (yield* Identities).ofContact(tenantId, contactId)
  return withHeldPrimaries(
    contact,
    (kind) => !lost.some((identity) => identity.kind === kind),
    own.map(({ identity }) => identity)
  )
})

/**
 * Removes an identity from a contact. Later messages from it belong to another contact. When the primary identity is
 * removed, the oldest one of the same kind becomes primary.
 */
export const removeIdentity = Effect.fnUntraced(function* (tenantId: string, contactId: string, identityId: string) {
  const { config } = yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const contact = yield* requireUnmergedContact(tenantId, contactId)
      const { identity } = yield* require(yield* identitiesOfRecord(contact), identityId)
      yield* (yield* Contacts).detach(tenantId, contact.contactId, [identity])
      const repaired = yield* replaceLostPrimaries(contact, config.defaultCountry)
      yield* save(contact, repaired, "identity_removed", identity, now)
    })
  )
}, withSpan("removeIdentity"))
