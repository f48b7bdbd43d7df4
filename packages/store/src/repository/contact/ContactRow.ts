import type { Contact } from "@leadloom/core/domain/contact/Contact"
import { readArray, readObject } from "../../sql/Json.ts"
import { table } from "../../sql/Table.ts"

/** A contact as it is stored. */
export interface ContactRow extends Omit<Contact, "tags" | "attributes"> {
  readonly tags: string
  readonly attributes: string
}

/** The table of contacts. */
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

/** A contact on its way into the table. */
export const toRow = (contact: Contact): ContactRow => ({
  ...contact,
  tags: JSON.stringify(contact.tags),
  attributes: JSON.stringify(contact.attributes)
})

/** A contact as it was written. */
export const fromRow = (row: ContactRow): Contact => ({
  ...row,
  tags: readArray(row.tags),
  attributes: readObject(row.attributes)
})
