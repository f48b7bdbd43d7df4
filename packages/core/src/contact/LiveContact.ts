import { Effect } from "effect"
import { Contacts } from "../port/Contacts.ts"
import { ContactMerged } from "./Contact.ts"

/** A contact that may be changed: one that has been merged into another may not. */
export const liveContact = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const contact = yield* (yield* Contacts).get(tenantId, contactId)
  const { mergedInto } = contact
  if (mergedInto !== null) return yield* new ContactMerged({ contactId: contact.contactId, mergedInto })
  return contact
})
