import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { identityIdOf, isPrimary, type StoredIdentity } from "../../domain/contact/ContactIdentity.ts"
import type { IdentityId } from "../../domain/Id.ts"
import { Identities } from "../../port/repository/contact/Identities.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { requireUnmergedContact } from "./ResolveMergedContact.ts"
import { undeliverableAddress } from "./Undeliverable.ts"
import { withSpan } from "../WithSpan.ts"

/** An identity of a contact with all its properties. */
export interface ContactIdentity extends StoredIdentity {
  readonly identityId: IdentityId
  /** True if it is the contact's `email` or `phone`. */
  readonly primary: boolean
  /** The reason why messages cannot be delivered to it; null if no reason is known. */
  readonly undeliverable: string | null
}

/** Returns the identities of a contact, oldest first. */
export const identitiesOfRecord = Effect.fnUntraced(function* (contact: Contact) {
  const { contactId, tenantId } = contact
  const stored = yield* (yield* Identities).ofContact(tenantId, contactId)
  const all = stored.map(({ identity }) => identity)
  return yield* Effect.forEach(stored, (one) =>
    Effect.map(
      one.identity.kind === "external" ? Effect.succeed(null) : undeliverableAddress(tenantId, one.identity.value),
      (undeliverable): ContactIdentity => ({
        ...one,
        identityId: identityIdOf(tenantId, one.identity),
        primary: isPrimary(contact, one.identity, all),
        undeliverable
      })
    )
  )
})

/** Returns the identities of a contact by its id, oldest first. */
export const listIdentities = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  yield* (yield* Tenants).get(tenantId)
  return yield* identitiesOfRecord(yield* requireUnmergedContact(tenantId, contactId))
}, withSpan("listIdentities"))
