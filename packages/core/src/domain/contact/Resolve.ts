import type { ContactId } from "../Id.ts"
import { type Identity, identityKey } from "./Identity.ts"

/** The sender's details in a message, apart from the identities. */
export interface SenderProfile {
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
}

/** Returns the profile of a sender with these identities. */
export const profileOf = (
  identities: ReadonlyArray<Identity>,
  { company, name }: Pick<SenderProfile, "company" | "name">
): SenderProfile => {
  const valueOf = (kind: Identity["kind"]) => identities.find((identity) => identity.kind === kind)?.value ?? null
  return { name, email: valueOf("email"), phone: valueOf("phone"), company }
}

/** A contact that has one of the requested identities, or another form of that identity. */
export interface Holder<Found extends Aged = Aged> {
  readonly identity: Identity
  readonly contact: Found
}

/** The values that select one of several contacts: the oldest contact is selected. */
export interface Aged {
  readonly contactId: ContactId
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** A suggestion to merge two contacts, because one sender used identities of both. */
export interface MergeSuggestion {
  /** The older contact, which a merge would keep. */
  readonly into: ContactId
  readonly from: ContactId
  readonly reason: string
}

/** The contact of a sender. */
export interface Resolution<Found extends Aged = Aged> {
  /** The contact to use. Null if no contact has any of the identities; a new contact is then created. */
  readonly use: Found | null
  /** The identities that no contact has yet. The caller adds them to `use` or to the new contact. */
  readonly add: ReadonlyArray<Identity>
  /** At most one suggestion for each other contact. A person decides on every merge. */
  readonly suggestMerge: ReadonlyArray<MergeSuggestion>
}

/** Orders by age, then by id, so that the result does not depend on the order of the rows in the database. */
const byAge = ({ contact: a }: Holder, { contact: b }: Holder): number =>
  a.createdAt - b.createdAt || (a.contactId < b.contactId ? -1 : a.contactId > b.contactId ? 1 : 0)

/**
 * Selects the contact of a sender: the oldest contact with one of the identities. Other contacts with such an identity
 * are not changed. They become merge suggestions, because a shared address, such as an office's, does not prove that
 * two contacts are one person.
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
      reason: `One sender used the ${oldest.identity.kind} of one contact and the ${holder.identity.kind} of the other.`
    }))
  }
}
