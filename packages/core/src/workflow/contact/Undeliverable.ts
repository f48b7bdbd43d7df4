import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { tombstone } from "../../domain/privacy/Erasure.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"

/**
 * Returns the reason why an address is undeliverable. Returns null when no reason is known. The record of an address is
 * also found after an erasure, by its tombstone.
 */
export const undeliverableAddress = Effect.fnUntraced(function* (tenantId: string, email: string) {
  const contacts = yield* Contacts
  const known = yield* contacts.undeliverable(tenantId, email)
  return known ?? (yield* contacts.undeliverable(tenantId, tombstone(email, (yield* Secrets).pepper)))
})

/** Deletes the record that an address or number is undeliverable, also the record that an erasure left. */
export const clearUndeliverable = Effect.fnUntraced(function* (tenantId: string, address: string) {
  const contacts = yield* Contacts
  yield* contacts.markDeliverable(tenantId, address)
  yield* contacts.markDeliverable(tenantId, tombstone(address, (yield* Secrets).pepper))
})
