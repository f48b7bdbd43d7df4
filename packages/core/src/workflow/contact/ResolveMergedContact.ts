import { Effect } from "effect"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { type Contact, ContactMerged } from "../../domain/contact/Contact.ts"

/**
 * Returns the contact that has the data of this contact after merges. It is the contact itself, or the last one in its
 * chain of merges. Returns null when that contact no longer exists.
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

/**
 * Returns a contact by its id. If the contact was merged, fails with `ContactMerged`, which names the contact that has
 * its data.
 */
export const requireUnmergedContact = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  const contact = yield* (yield* Contacts).get(tenantId, contactId)
  if (contact.mergedInto === null) return contact
  const { contactId: id, mergedInto } = contact
  const inTheEnd = yield* resolveMergedContact(tenantId, mergedInto)
  return yield* new ContactMerged({ contactId: id, mergedInto: inTheEnd?.contactId ?? mergedInto })
})

/**
 * Fails with `ContactMerged` when the contact was merged, and with the given error otherwise. Use it when a record of a
 * contact is missing, because a merge may have moved the record.
 */
export const orContactMerged =
  (tenantId: string, contactId: string) =>
  <E>(missing: E) =>
    Effect.andThen(
      requireUnmergedContact(tenantId, contactId).pipe(Effect.catchTag("ContactNotFound", () => Effect.void)),
      Effect.fail(missing)
    )
