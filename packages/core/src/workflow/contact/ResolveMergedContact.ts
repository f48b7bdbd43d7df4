import { Effect } from "effect"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { type Contact, ContactMerged } from "../../domain/contact/Contact.ts"

/**
 * Returns the contact that now holds this contact's data: itself, or the last contact in its chain of merges. Null when
 * that contact has been deleted.
 */
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

/** Returns a contact by its id. Fails with `ContactMerged`, which names the final contact, when it was merged. */
export const requireUnmergedContact = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const contact = yield* (yield* Contacts).get(tenantId, contactId)
  if (contact.mergedInto === null) return contact
  const { contactId: id, mergedInto } = contact
  const inTheEnd = yield* resolveMergedContact(tenantId, mergedInto)
  return yield* new ContactMerged({ contactId: id, mergedInto: inTheEnd?.contactId ?? mergedInto })
})

/**
 * Fails with `ContactMerged` when the contact was merged, else with the given error. Use it when a record of a contact
 * is missing.
 */
export const orContactMerged =
  (tenantId: string, contactId: string) =>
  <E>(missing: E) =>
    Effect.andThen(
      requireUnmergedContact(tenantId, contactId).pipe(Effect.catchTag("ContactNotFound", () => Effect.void)),
      Effect.fail(missing)
    )
