import type { CrmChanges, CrmLink, SyncedFields, ReportedFields } from "./CrmContact.ts"

/** The synchronised text fields. The company is read from the CRM but cannot be changed there. */
const texts = ["name", "email", "phone", "company"] as const
type TextField = (typeof texts)[number]

/** The result of a three-way merge. */
export interface ThreeWayResult {
  /** The new values of the local contact. */
  readonly local: SyncedFields
  /** The changes to request from the CRM; empty if there are none. */
  readonly changes: CrmChanges
  readonly addTags: ReadonlyArray<string>
  readonly removeTags: ReadonlyArray<string>
}

/**
 * Converts a text for comparison. A CRM may change the case of tags and addresses, so a difference in case is not a
 * change.
 */
const fold = (text: string): string => text.toLowerCase()
const isSame = (field: TextField, one: string | null, other: string | null): boolean =>
  one === other || (field === "email" && one !== null && other !== null && fold(one) === fold(other))

const has = (tags: ReadonlyArray<string>, tag: string): boolean => tags.some((each) => fold(each) === fold(tag))
const without = (tags: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> =>
  tags.filter((tag) => !has(others, tag))

type Base = Pick<CrmLink, "ours" | "theirs" | "sending">

const tagsTogether = (local: SyncedFields, remote: SyncedFields, { ours, sending, theirs }: Base, pull: boolean) => {
  const known = sending === null ? theirs.tags : [...theirs.tags, ...sending.tags]
  const added = pull ? without(remote.tags, known) : []
  const removed = pull ? without(theirs.tags, remote.tags) : []
  const tags = [...without(local.tags, removed), ...without(added, local.tags)]
  const [addedHere, removedHere] = [without(local.tags, ours.tags), without(ours.tags, local.tags)]
  return {
    tags,
    addTags: without(without(addedHere, remote.tags), removed),
    removeTags: removedHere.filter((tag) => has(remote.tags, tag) && !has(added, tag))
  }
}

/**
 * Merges a local contact with its CRM record, field by field, relative to the last synchronisation (`base`).
 *
 * - A change on one side is applied to the other side.
 * - If both sides have changed a field, the CRM's value is used, because people work in the CRM.
 * - Tags are added and removed one by one.
 * - A CRM value that equals a value in transit is not a change in the CRM. Otherwise both sides would update each other
 *   without end.
 * - If `pull` is false, the local contact stays unchanged.
 */
export const mergeThreeWay = (local: SyncedFields, remote: SyncedFields, base: Base, pull: boolean): ThreeWayResult => {
  const { ours, sending, theirs } = base
  const next: Record<TextField, string | null> = { ...local }
  const changes: Record<string, string | null> = {}
  for (const field of texts) {
    const expected = isSame(field, remote[field], theirs[field])
    const echo = sending !== null && isSame(field, remote[field], sending[field])
    if (pull && !expected && !echo) next[field] = remote[field]
    else if (local[field] !== ours[field] && field !== "company" && !isSame(field, remote[field], local[field]))
      changes[field] = local[field]
  }
  const { addTags, removeTags, tags } = tagsTogether(local, remote, base, pull)
  return { local: { ...next, tags }, changes, addTags, removeTags }
}

/** Returns whether nothing has to be changed in the CRM. */
export const isQuiet = ({ addTags, changes, removeTags }: ThreeWayResult): boolean =>
  Object.keys(changes).length === 0 && addTags.length === 0 && removeTags.length === 0

/** Returns whether a CRM event contains only values that are already known or in transit. */
export const isEcho = (said: Partial<ReportedFields>, { sending, theirs }: Base): boolean => {
  const known = [theirs, ...(sending === null ? [] : [sending])]
  const { tags } = said
  const reported = texts.flatMap((field) => {
    const value = said[field]
    return value === undefined ? [] : [known.some((each) => isSame(field, value, each[field]))]
  })
  const tagged =
    tags === undefined
      ? []
      : [known.some((each) => tags.length === each.tags.length && without(tags, each.tags).length === 0)]
  const { smsOptOut } = said
  const disturbed = smsOptOut === undefined ? [] : [smsOptOut === (theirs.smsOptOut === true)]
  const all = [...reported, ...tagged, ...disturbed]
  return all.length > 0 && all.every(Boolean)
}

/** Returns whether two sets of fields are equal. */
export const saysSame = (one: SyncedFields, other: SyncedFields): boolean =>
  texts.every((field) => one[field] === other[field]) &&
  one.tags.length === other.tags.length &&
  one.tags.every((tag) => other.tags.includes(tag))
