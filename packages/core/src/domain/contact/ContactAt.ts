import type { FieldValue, FieldValues } from "../field/FieldValues.ts"
import type { Activity } from "./Activity.ts"
import type { Contact } from "./Contact.ts"

/** Returns a value of a custom field that the timeline contains; null if it contains none. */
export const fieldValueOf = (value: unknown): FieldValue | null => {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : null
}

/** Returns custom fields before some entries of the timeline, newest first. */
export const valuesBefore = (values: FieldValues, later: ReadonlyArray<Activity>): FieldValues => {
  const changes = later.filter(({ type }) => type === "field_changed")
  if (changes.length === 0) return values
  const before = new Map(Object.entries(values))
  for (const { data } of changes) {
    const previous = fieldValueOf(data["previous"])
    if (previous === null) before.delete(String(data["field"]))
    else before.set(String(data["field"]), previous)
  }
  return Object.fromEntries(before)
}

const tagsBefore = (tags: ReadonlyArray<string>, later: ReadonlyArray<Activity>): ReadonlyArray<string> => {
  let before = [...tags]
  for (const { data, type } of later) {
    if (type === "tag_added") before = before.filter((tag) => tag !== data["value"])
    else if (type === "tag_removed" && !before.includes(String(data["previous"])))
      before.splice(Number(data["place"] ?? before.length), 0, String(data["previous"]))
  }
  return before
}

/** Returns a contact with its tags and custom fields before some entries of the timeline, newest first. */
export const contactBefore = (contact: Contact, later: ReadonlyArray<Activity>): Contact => {
  const own = later.filter(({ leadId }) => leadId === null)
  return {
    ...contact,
    tags: tagsBefore(contact.tags, own),
    customFields: valuesBefore(contact.customFields, own)
  }
}
