import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import type { ConversationHead } from "../conversation/ConversationHead.ts"
import { Time } from "../Field.ts"
import { ContactId, MergeId } from "../Id.ts"
import { type Contact, maxTags } from "./Contact.ts"
import { identitiesOfContact } from "./ContactFields.ts"
import { identityKey } from "./Identity.ts"

/** The kinds of records that a merge moves one by one. Undoing the merge can therefore restore each record. */
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
  | "note"
  | "scheduled_send"
  | "agent_draft"
  | "enrolment"
  | "trigger_run"

/** The number of moved records of each kind that the response to a merge contains. */
export type MovedCounts = Readonly<
  Record<Exclude<MovedKind, "crm_link" | "scheduled_send" | "agent_draft" | "enrolment" | "trigger_run">, number>
>

/** The contacts of a merge and its times. */
export class MergeHead extends Schema.Opaque<MergeHead>()(
  Schema.Struct({
    mergeId: MergeId.annotate({ description: "Merge id, with which the merge can be undone" }),
    tenantId: Schema.String,
    /** The contact that the merge keeps. */
    primaryId: ContactId.annotate({ description: "The contact that remains" }),
    /** The contact whose records were moved. */
    duplicateId: ContactId.annotate({ description: "The contact whose data moved to the primary contact" }),
    /**
     * The position of this merge among the merges into the primary contact. These merges must be undone in reverse
     * order.
     */
    ordinal: Schema.Int,
    mergedAt: Time.annotate({ description: "The time of the merge (ISO 8601 in UTC)" }),
    undoneAt: Schema.NullOr(Time).annotate({
      description: "The time at which the merge was undone (ISO 8601 in UTC); null: it applies"
    }),
    /**
     * The newest time of any record of both contacts when they were merged. A record with a later time was created
     * after the merge.
     */
    watermark: Time
  })
) {}

/**
 * The record of a merge of a duplicate into a primary contact. `ContactMerges` stores the list of moved records
 * separately. Both together contain everything that is needed to undo the merge.
 */
export interface ContactMerge extends MergeHead {
  readonly before: {
    readonly primary: Contact
    readonly duplicate: Contact
    readonly primaryHead: ConversationHead | null
    readonly duplicateHead: ConversationHead | null
  }
  readonly after: { readonly primary: Contact; readonly unread: number }
}

/** A contact cannot be merged with itself. */
export class MergeWithItself extends TaggedError("MergeWithItself")<{ readonly contactId: string }> {}

/** The tenant has no merge with this id. */
export class MergeNotFound extends TaggedError("MergeNotFound")<{ readonly mergeId: string }> {}

/** The merge was already undone. */
export class MergeUndone extends TaggedError("MergeUndone")<{ readonly mergeId: MergeId }> {}

/**
 * Another merge must be undone first: a later merge into the primary contact, or a merge of the primary contact into
 * another contact.
 */
export class MergeNotLatest extends TaggedError("MergeNotLatest")<{
  readonly mergeId: MergeId
  readonly undoFirst: MergeId
}> {}

/**
 * Returns the primary contact after a merge. It keeps its own values and takes missing values from the duplicate. Its
 * tags are those of both contacts, its own first, up to `maxTags`. It is archived only if both contacts were archived.
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
  customFields: { ...duplicate.customFields, ...primary.customFields },
  companyId: primary.companyRemoved ? null : (primary.companyId ?? duplicate.companyId),
  companyRemoved: primary.companyRemoved || (primary.companyId === null && duplicate.companyRemoved),
  archivedAt: duplicate.archivedAt === null ? null : primary.archivedAt,
  updatedAt: now
})

/** The values of a `multi_select` field are lists. */
const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || (Array.isArray(one) && JSON.stringify(one) === JSON.stringify(other))

/** Removes the values of attributes or custom fields that came from the duplicate and have not changed since. */
const unmergedValues = <Value>(
  current: Readonly<Record<string, Value>>,
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>
): Readonly<Record<string, Value>> => {
  const came = (key: string) =>
    !Object.hasOwn(before, key) && Object.hasOwn(after, key) && isSameValue(current[key], after[key])
  return Object.fromEntries(Object.entries(current).filter(([key]) => !came(key)))
}

/**
 * Returns the primary contact after a merge is undone, without the values that came from the duplicate. Changes that
 * people made after the merge stay, except an email address or phone number that returns to the duplicate. `returned`
 * contains the keys of the returned identities.
 */
export const unmergedContact = (
  current: Contact,
  { after, before }: ContactMerge,
  returned: ReadonlySet<string>,
  context: { readonly defaultCountry: string; readonly now: number }
): Contact => {
  const was = before.primary
  const pick = <K extends "name" | "company" | "companyId" | "companyRemoved" | "notes" | "archivedAt">(
    key: K
  ): Contact[K] => (current[key] === after.primary[key] ? was[key] : current[key])
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
    companyId: pick("companyId"),
    companyRemoved: pick("companyRemoved"),
    notes: pick("notes"),
    archivedAt: pick("archivedAt"),
    tags: current.tags.filter((tag) => !came.has(tag)),
    attributes: unmergedValues(current.attributes, was.attributes, after.primary.attributes),
    customFields: unmergedValues(current.customFields, was.customFields, after.primary.customFields),
    updatedAt: current.updatedAt === after.primary.updatedAt ? was.updatedAt : context.now
  }
}

/**
 * Returns the number of unread messages of each contact after a merge is undone. If no message was marked as read since
 * the merge, each contact gets back its unread messages from before the merge and its newer ones. Otherwise each
 * contact gets only its newer ones. The sum of both numbers always equals `unread`.
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
