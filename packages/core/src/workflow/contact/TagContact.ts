import { Clock, Effect } from "effect"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { contactChangeEvent } from "../../domain/contact/ContactEvent.ts"
import { maxTags } from "../../domain/contact/Contact.ts"
import { normalizeTag } from "../../domain/contact/ContactFields.ts"
import { requireUnmergedContact } from "./ResolveMergedContact.ts"
import { withSpan } from "../WithSpan.ts"

/** Adds new tags to a contact, up to `maxTags`. Returns the added tags. */
export const tagContact = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  tags: ReadonlyArray<string>
) {
  const now = yield* Clock.currentTimeMillis
  const contacts = yield* Contacts
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* requireUnmergedContact(tenantId, contactId)
      const wanted = new Set(tags.map(normalizeTag).filter((tag) => tag !== "" && !before.tags.includes(tag)))
      const added = [...wanted].slice(0, Math.max(0, maxTags - before.tags.length))
      if (added.length === 0) return { contact: before, added }
      const contact = { ...before, tags: [...before.tags, ...added], updatedAt: now }
      yield* contacts.update(contact)
      yield* recordEvents([contactChangeEvent(before, contact)], now)
      return { contact, added }
    })
  )
}, withSpan("tagContact"))
