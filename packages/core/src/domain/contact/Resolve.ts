import type { ContactId } from "../Id.ts"
import { type Identity, identityKey } from "./Identity.ts"

/** A contact that holds an identity that was asked for (or another spelling of it). */
export interface Holder<Found extends Aged = Aged> {
  readonly identity: Identity
  readonly contact: Found
}

/** What decides between contacts: the oldest wins. */
export interface Aged {
  readonly contactId: ContactId
  /** Epoch milliseconds. */
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
export interface Resolution<Found extends Aged = Aged> {
  /** The contact to use; null: nobody holds any of the identities, make one. */
  readonly use: Found | null
  /** Identities that nobody holds yet: they go to `use`, or to the new contact. */
  readonly add: ReadonlyArray<Identity>
  /** At most one a contact. Nothing merges by itself. */
  readonly suggestMerge: ReadonlyArray<MergeSuggestion>
}

/** By age, then by id, so that the choice does not depend on the order of a query. */
const byAge = ({ contact: a }: Holder, { contact: b }: Holder): number =>
  a.createdAt - b.createdAt || (a.contactId < b.contactId ? -1 : a.contactId > b.contactId ? 1 : 0)

/**
 * Decides which contact a sender is: the oldest that holds one of the identities. Other holders keep what they have and
 * are suggested for merging, because a shared address (an office, a family phone) does not prove one person.
 */
export const resolveSender = <Found extends Aged>(
  identities: ReadonlyArray<Identity>,
  holders: ReadonlyArray<Holder<Found>>
): Resolution<Found> => {
  const held = new Set(holders.map((holder) => identityKey(holder.identity)))
  const add = new Map<string, Identity>()
  for (const identity of identities) {
    const key = identityKey(identity)
    if (!held.has(key)) add.set(key, identity)
  }
  const byContact = new Map<ContactId, Holder<Found>>()
  for (const holder of holders.toSorted(byAge)) {
    if (!byContact.has(holder.contact.contactId)) byContact.set(holder.contact.contactId, holder)
  }
  const [oldest, ...younger] = byContact.values()
  if (oldest === undefined) return { use: null, add: [...add.values()], suggestMerge: [] }
  return {
    use: oldest.contact,
    add: [...add.values()],
    suggestMerge: younger.map((holder) => ({
      into: oldest.contact.contactId,
      from: holder.contact.contactId,
      reason: `One sender gave the ${oldest.identity.kind} of one and the ${holder.identity.kind} of the other.`
    }))
  }
}
