import type * as Wire from "@leadloom/api/schema/ContactRecord"
import { isoTime } from "@leadloom/api/schema/Field"
import type { Contact } from "@leadloom/core/domain/contact/Contact"

/** Encodes a contact, in the form that all endpoints share. */
export const contactToJson = (contact: Contact): typeof Wire.Contact.Type => ({
  id: contact.contactId,
  name: contact.name,
  email: contact.email,
  phone: contact.phone,
  company: contact.company,
  notes: contact.notes,
  tags: contact.tags,
  attributes: contact.attributes,
  archived: contact.archivedAt !== null,
  merged_into: contact.mergedInto,
  created_at: isoTime(contact.createdAt),
  updated_at: isoTime(contact.updatedAt)
})
