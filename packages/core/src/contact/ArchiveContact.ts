import { Clock, Effect } from "effect"
import { Contacts } from "../port/Contacts.ts"
import { Drafts } from "../port/Drafts.ts"
import { Events } from "../port/Events.ts"
import { Ids } from "../port/Ids.ts"
import { Tenants } from "../port/Tenants.ts"
import { Transactions } from "../port/Transactions.ts"
import { contactEvent } from "./ContactEvent.ts"

/** Archives a contact: it leaves the lists, keeps its history, loses the draft that waits for a person, and comes back when it writes again. Idempotent. */
export const archiveContact = Effect.fn("archiveContact")(function* (tenantId: string, contactId: string) {
  yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  const ids = yield* Ids
  const contacts = yield* Contacts
  const events = yield* Events
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const contact = yield* contacts.get(tenantId, contactId)
      if (contact.archivedAt !== null) return contact
      const archived = { ...contact, archivedAt: now, updatedAt: now }
      yield* contacts.update(archived)
      yield* (yield* Drafts).supersede(tenantId, contactId)
      yield* events.append(tenantId, [contactEvent("contact.updated", archived, yield* ids.next("evt"), now)])
      return archived
    })
  )
})
