import { type Kind, ofContact, travels } from "./Kind.ts"

/** Who a contact is in a CRM. */
export const crmLinks: Kind = {
  ...travels,
  name: "crm_links",
  key: ["location_id", "crm_contact_id"],
  belongs: ofContact,
  stays: "Who a contact is in a CRM is found anew by an instance that is let in there.",
  columns: { location_id: "text", crm_contact_id: "text" }
}
