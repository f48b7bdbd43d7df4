import { Data } from "effect"
import type { ConversationHead } from "../conversation/ConversationHead.ts"
import type { ContactId, MergeId } from "../Id.ts"
import { type Contact, maxTags } from "./Contact.ts"
import { identitiesOfContact } from "./ContactFields.ts"
import { identityKey } from "./Identity.ts"

/** What a merge moves one by one, so that its undoing knows what came from where. */
export type MovedKind =
  | "identity"
  | "message"
  | "lead"
  | "task"
  | "draft"
  | "superseded_draft"
  | "activity"
  | "crm_link"
  | "call"

/** How many of each a merge moved. */
export type MovedCounts = Readonly<Record<Exclude<MovedKind, "crm_link">, number>>

/**
 * The journal of a merge: everything of the duplicate went to the primary contact. With what was moved (kept beside it by
 * `ContactMerges`) it is all that undoing needs.
 */
export interface ContactMerge {
  readonly mergeId: MergeId
  readonly tenantId: string
  /** The contact that stays. */
  readonly primaryId: ContactId
  /** The contact whose things it got. */
  readonly duplicateId: ContactId
  /** The how manyth merge into the primary contact: they are undone in reverse. */
  readonly ordinal: number
  readonly mergedAt: number
  readonly undoneAt: number | null
  /** Nothing of either contact was younger when they were merged: what is, came afterwards. Epoch milliseconds. */
  readonly watermark: number
  readonly before: {
    readonly primary: Contact
    readonly duplicate: Contact
    readonly primaryHead: ConversationHead | null
    readonly duplicateHead: ConversationHead | null
  }
  readonly after: { readonly primary: Contact; readonly unread: number }
}

/** A contact cannot be merged with itself. */
export class MergeWithItself extends Data.TaggedError("MergeWithItself")<{ readonly contactId: string }> {}

/** No such merge in this tenant. */
export class MergeNotFound extends Data.TaggedError("MergeNotFound")<{ readonly mergeId: string }> {}

/** The merge has been undone already. */
export class MergeUndone extends Data.TaggedError("MergeUndone")<{ readonly mergeId: MergeId }> {}

/** Another merge has to be undone first: it took the primary contact further, or brought it more. */
export class MergeNotLatest extends Data.TaggedError("MergeNotLatest")<{
  readonly mergeId: MergeId
  readonly undoFirst: MergeId
}> {}

/**
 * The primary contact with what the duplicate adds: it keeps what it has, takes what it lacks, and has the tags of both,
 * its own first, as far as a contact may have tags. It comes back from the archive when the duplicate was not there.
 */
export const mergedContact = (primary: Contact, duplicate: Contact, now: number): Contact => ({
  ...primary,
  name: primary.name ?? duplicate.name,
  email: primary.email ?? duplicate.email,
  phone: primary.phone ?? duplicate.phone,
  company: primary.company ?? duplicate.company,
  notes: primary.notes ?? duplicate.notes,
  tags: [...new Set([...primary.tags, ...duplicate.tags])].slice(0, Math.max(maxTags, primary.tags.length)),
  attributes: { ...duplicate.attributes, ...primary.attributes },
  archivedAt: duplicate.archivedAt === null ? null : primary.archivedAt,
  updatedAt: now
})

const unmergedAttributes = (
  current: Contact["attributes"],
  before: Contact["attributes"],
  after: Contact["attributes"]
): Contact["attributes"] => {
  const came = (key: string) => !Object.hasOwn(before, key) && Object.hasOwn(after, key) && current[key] === after[key]
  return Object.fromEntries(Object.entries(current).filter(([key]) => !came(key)))
}

/**
 * The primary contact without what a merge brought. What somebody has changed since stays as it is now, except an
 * address or number that goes back to the duplicate (`returned`: keys of identities).
 */
export const unmergedContact = (
  current: Contact,
  { after, before }: ContactMerge,
  returned: ReadonlySet<string>,
  context: { readonly defaultCountry: string; readonly now: number }
): Contact => {
  const was = before.primary
  const pick = <K extends "name" | "company" | "notes" | "archivedAt">(key: K): Contact[K] =>
    current[key] === after.primary[key] ? was[key] : current[key]
  const reach = <K extends "email" | "phone">(key: K): string | null => {
    const one = { email: null, phone: null, [key]: current[key] }
    const goes = identitiesOfContact(one, context.defaultCountry).some((identity) =>
      returned.has(identityKey(identity))
    )
    return goes || current[key] === after.primary[key] ? was[key] : current[key]
  }
  const came = new Set(after.primary.tags.filter((tag) => !was.tags.includes(tag)))
  return {
    ...current,
    name: pick("name"),
    email: reach("email"),
    phone: reach("phone"),
    company: pick("company"),
    notes: pick("notes"),
    archivedAt: pick("archivedAt"),
    tags: current.tags.filter((tag) => !came.has(tag)),
    attributes: unmergedAttributes(current.attributes, was.attributes, after.primary.attributes),
    updatedAt: current.updatedAt === after.primary.updatedAt ? was.updatedAt : context.now
  }
}

/**
 * How many messages are unread on each side after an undoing. While nobody has marked them read, each side has what it
 * had and what came for it since; after that, only what came since. Nothing is counted twice and nothing is lost.
 */
export const splitUnread = (
  { after, before }: ContactMerge,
  unread: number,
  newOfDuplicate: number
): { readonly primary: number; readonly duplicate: number } => {
  const had = unread >= after.unread ? (before.duplicateHead?.unread ?? 0) : 0
  const since = unread >= after.unread ? unread - after.unread : unread
  const duplicate = had + Math.min(since, newOfDuplicate)
  return { primary: unread - duplicate, duplicate }
}
