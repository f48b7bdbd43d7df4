import type { ContactId } from "../Id.ts"
import { type Identity, identityKey } from "./Identity.ts"

/** A contact that holds an identity that was asked for (or another spelling of it). */
export interface Holder {
  readonly identity: Identity
  readonly contactId: ContactId
  /** Creation time of the contact, epoch milliseconds. */
  readonly createdAt: number
}

/** Two contacts that share a sender. */
export interface MergeSuggestion {
  /** The older one, which would stay. */
  readonly into: ContactId
  readonly from: ContactId
  readonly reason: string
}

/** Who a sender is. */
export interface Resolution {
  /** The contact to use; null: nobody holds any of the identities, make one. */
  readonly use: ContactId | null
  /** Identities that nobody holds yet: they go to `use`, or to the new contact. */
  readonly add: ReadonlyArray<Identity>
  /** At most one a contact. Nothing merges by itself. */
  readonly suggestMerge: ReadonlyArray<MergeSuggestion>
}

/** By age, then by id, so that the choice does not depend on the order of a query. */
const byAge = (a: Holder, b: Holder): number =>
  a.createdAt - b.createdAt || (a.contactId < b.contactId ? -1 : a.contactId > b.contactId ? 1 : 0)

/**
 * Decides which contact a sender is: the oldest that holds one of the identities. Other holders keep what they have and
 * are suggested for merging, because a shared address (an office, a family phone) does not prove one person.
 */
export const resolveSender = (identities: ReadonlyArray<Identity>, holders: ReadonlyArray<Holder>): Resolution => {
  const held = new Set(holders.map((holder) => identityKey(holder.identity)))
  const add = new Map<string, Identity>()
  for (const identity of identities) {
    const key = identityKey(identity)
    if (!held.has(key)) add.set(key, identity)
  }
  const byContact = new Map<ContactId, Holder>()
  for (const holder of holders.toSorted(byAge)) {
    if (!byContact.has(holder.contactId)) byContact.set(holder.contactId, holder)
  }
  const [oldest, ...younger] = byContact.values()
  if (oldest === undefined) return { use: null, add: [...add.values()], suggestMerge: [] }
  return {
    use: oldest.contactId,
    add: [...add.values()],
    suggestMerge: younger.map((holder) => ({
      into: oldest.contactId,
      from: holder.contactId,
      reason: `One sender gave the ${oldest.identity.kind} of one and the ${holder.identity.kind} of the other.`
    }))
  }
}
