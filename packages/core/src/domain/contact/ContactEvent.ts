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
