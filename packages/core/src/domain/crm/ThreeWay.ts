import type { CrmChanges, CrmLink, SyncedFields, ReportedFields } from "./CrmContact.ts"

/** Texts that both sides keep. The company is not among what a CRM lets us change, only what it tells. */
const texts = ["name", "email", "phone", "company"] as const
type TextField = (typeof texts)[number]

/** What bringing two contacts together comes to. */
export interface ThreeWayResult {
  /** What our contact is to say. */
  readonly local: SyncedFields
  /** What the CRM is asked to change; empty: nothing. */
  readonly changes: CrmChanges
  readonly addTags: ReadonlyArray<string>
  readonly removeTags: ReadonlyArray<string>
}

/** A CRM may spell tags and addresses its own way: upper and lower case are no change. */
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
 * Brings one of our contacts and the CRM's together, field by field, from what both said when they were last together
 * (`base`). What changed on one side goes to the other; where both changed, the CRM's word counts, because people work
 * there; tags are added and removed one by one. What we were sending and the CRM says now is ours, not a change of
 * theirs: that is what keeps a change from coming back. `pull` false: our contact stays as it is.
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

/** Whether there is nothing to ask the CRM for. */
export const isQuiet = ({ addTags, changes, removeTags }: ThreeWayResult): boolean =>
  Object.keys(changes).length === 0 && addTags.length === 0 && removeTags.length === 0

/** Whether the CRM tells nothing but what it has said before, or what we are sending it. */
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

/** Whether a contact says the same in both. */
export const saysSame = (one: SyncedFields, other: SyncedFields): boolean =>
  texts.every((field) => one[field] === other[field]) &&
  one.tags.length === other.tags.length &&
  one.tags.every((tag) => other.tags.includes(tag))
