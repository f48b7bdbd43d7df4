import type { Contact } from "@leadloom/core/domain/contact/Contact"
import { readArray, readObject } from "../../sql/Json.ts"
import { table } from "../../sql/Table.ts"

/** A stored contact. */
export interface ContactRow extends Omit<Contact, "tags" | "attributes"> {
  readonly tags: string
  readonly attributes: string
}

export const contacts = table<ContactRow>(
  "contacts",
  {
    tenantId: "tenant_id",
    contactId: "contact_id",
    name: "name",
    email: "email",
    phone: "phone",
    company: "company",
    tags: "tags",
    createdAt: "created_at",
    updatedAt: "updated_at",
    archivedAt: "archived_at",
    notes: "notes",
    attributes: "attributes",
    mergedInto: "merged_into"
  },
  ["tenantId", "contactId"]
)

/** Converts a contact to its stored form. */
export const toRow = (contact: Contact): ContactRow => ({
  ...contact,
  tags: JSON.stringify(contact.tags),
  attributes: JSON.stringify(contact.attributes)
})

/** Converts a stored row to a contact. */
export const fromRow = (row: ContactRow): Contact => ({
  ...row,
  tags: readArray(row.tags),
  attributes: readObject(row.attributes)
})
