import { fieldChanges } from "../webhook/FieldChange.ts"
import type { Change } from "../webhook/Change.ts"
import type { NewEvent } from "../webhook/Event.ts"
import type { Contact } from "./Contact.ts"

/** Builds the outbound event for a new or changed contact. */
export const contactEvent = (type: "contact.created" | "contact.updated", contact: Contact): NewEvent => ({
  type,
  tenantId: contact.tenantId,
  data: {
    contact_id: contact.contactId,
    name: contact.name,
    email: contact.email,
    phone: contact.phone,
    company: contact.company,
    company_id: contact.companyId,
    tags: contact.tags,
    custom_fields: contact.customFields,
    archived: contact.archivedAt !== null,
    merged_into: contact.mergedInto
  }
})

/** The fields of a change that name its contact. */
const changeOf = ({ contactId }: Contact) => ({ contactId, leadId: null, task: null })

/** Returns the texts that the other list does not have. */
const without = (texts: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set(others)
  return texts.filter((text) => !known.has(text))
}

/** Returns the changes of the tags and the custom fields of a contact. A new contact had none: `before` is null. */
const contactChanges = (before: Contact | null, after: Contact): ReadonlyArray<Change> => {
  const [had, has] = [before?.tags ?? [], after.tags]
  const about = changeOf(after)
  return [
    ...without(has, had).map((to): Change => ({ ...about, type: "tag_added", field: "tags", from: null, to })),
    // The last tag first, so that a reader who undoes the changes from the newest one on restores the order of the tags.
    ...without(had, has)
      .toReversed()
      .map((from): Change => ({
        ...about,
        type: "tag_removed",
        field: "tags",
        from,
        to: null,
        place: had.indexOf(from)
      })),
    ...fieldChanges(about, before?.customFields ?? {}, after.customFields)
  ]
}

/**
 * Builds the outbound event for a contact that is new or that a person, a partner or a rule has changed, with the changes
 * to which rules react. `before` is null for a new contact.
 */
export const contactChangeEvent = (before: Contact | null, after: Contact): NewEvent => ({
  ...contactEvent(before === null ? "contact.created" : "contact.updated", after),
  changes: contactChanges(before, after)
})
