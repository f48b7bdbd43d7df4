import { Effect } from "effect"
import type { Contact } from "../../../domain/contact/Contact.ts"
import type { ContactFields } from "../../../domain/contact/ContactFields.ts"
import { updateContact } from "../../contact/UpdateContact.ts"
import { fetchCrmContact } from "../ResolveCrmContact.ts"
import { profileOfCrm } from "../LinkCrmContact.ts"
import type { ActionAnswer, ActionCall } from "../../../domain/crm/ActionCall.ts"
import { CrmInputInvalid, optionalText } from "../../../domain/crm/ActionInputs.ts"

const keys = ["name", "email", "phone", "company", "notes"] as const

/** Reads the contact fields from the inputs of the workflow. The name may consist of first and last name. */
const readFields = Effect.fnUntraced(function* ({ inputs }: ActionCall) {
  const given: Record<string, string> = {}
  for (const key of keys) {
    const text = yield* optionalText(inputs, key, key === "notes" ? 10_000 : 320)
    if (text !== null) given[key] = text
  }
  const halves = [yield* optionalText(inputs, "first_name", 160), yield* optionalText(inputs, "last_name", 160)]
  const name = halves.filter((half) => half !== null).join(" ")
  const fields: ContactFields = name === "" || "name" in given ? given : { ...given, name }
  return fields
})

/** Returns the CRM's values for empty fields of the local contact. Existing values are never overwritten. */
const missing = Effect.fnUntraced(function* ({ crmContactId, locationId, tenant }: ActionCall, contact: Contact) {
  const { profile } = profileOfCrm(tenant, yield* fetchCrmContact(tenant.tenantId, locationId, crmContactId))
  const fields: Record<string, string> = {}
  for (const key of ["name", "email", "phone", "company"] as const) {
    const known = profile[key]
    if (contact[key] === null && known !== null) fields[key] = known
  }
  return fields
})

/**
 * Creates or updates the local contact, with the values in the inputs, and for empty fields with the CRM's values.
 * Idempotent.
 */
export const createOrUpdateContact = Effect.fnUntraced(function* (call: ActionCall) {
  const { created, tenant } = call
  const given = yield* readFields(call)
  const fields: ContactFields = { ...(created ? {} : yield* missing(call, call.contact)), ...given }
  const changes = keys.some((key) => fields[key] !== undefined && fields[key] !== call.contact[key])
  const contact = changes
    ? yield* updateContact(tenant.tenantId, call.contact.contactId, fields).pipe(
        Effect.catchTag("IdentityInvalid", ({ field, reason }) => new CrmInputInvalid({ field, reason }))
      )
    : call.contact
  const { company, contactId, email, name, phone } = contact
  return { contact_id: contactId, created, updated: changes, name, email, phone, company } satisfies ActionAnswer
})
