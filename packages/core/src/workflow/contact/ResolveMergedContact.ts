import { Effect } from "effect"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { type Contact, ContactMerged } from "../../domain/contact/Contact.ts"

/** The contact that has everything of this one now: itself, or whom it was merged into in the end. Null where that is gone. */
export const resolveMergedContact = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const contacts = yield* Contacts
  const seen = new Set<string>()
  let id: string | null = contactId
  while (id !== null && !seen.has(id)) {
    seen.add(id)
    const contact: Contact | null = yield* contacts
      .get(tenantId, id)
      .pipe(Effect.catchTag("ContactNotFound", () => Effect.succeed(null)))
    if (contact === null || contact.mergedInto === null) return contact
    id = contact.mergedInto
  }
  return null
})

/** A contact by its id: one that has been merged into another is not here any more, and says where it is. */
export const requireUnmergedContact = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const contact = yield* (yield* Contacts).get(tenantId, contactId)
  if (contact.mergedInto === null) return contact
  const { contactId: id, mergedInto } = contact
  const inTheEnd = yield* resolveMergedContact(tenantId, mergedInto)
  return yield* new ContactMerged({ contactId: id, mergedInto: inTheEnd?.contactId ?? mergedInto })
})

/**
 * Says where a contact is when something of it was not found because it has been merged away. Anybody else: what was
 * missing stays the answer.
 */
export const orContactMerged =
  (tenantId: string, contactId: string) =>
  <E>(missing: E) =>
    Effect.andThen(
      requireUnmergedContact(tenantId, contactId).pipe(Effect.catchTag("ContactNotFound", () => Effect.void)),
      Effect.fail(missing)
    )
