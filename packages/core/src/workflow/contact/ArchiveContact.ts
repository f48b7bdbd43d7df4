import { Clock, Effect } from "effect"
import { recordActivity } from "./RecordActivity.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { requireUnmergedContact } from "./ResolveMergedContact.ts"
import { withSpan } from "../WithSpan.ts"

/** Archives a contact or restores it. Returns the contact unchanged when nothing has to be done. */
const setArchived = Effect.fnUntraced(function* (tenantId: string, contactId: string, archived: boolean) {
  yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  const contacts = yield* Contacts
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const contact = yield* requireUnmergedContact(tenantId, contactId)
      if ((contact.archivedAt !== null) === archived) return contact
      const changed = { ...contact, archivedAt: archived ? now : null, updatedAt: now }
      yield* contacts.update(changed)
      if (archived) yield* (yield* Drafts).supersede(tenantId, contactId)
      yield* recordActivity({
        tenantId,
        contactId: contact.contactId,
        leadId: null,
        type: archived ? "contact_archived" : "contact_restored",
        actor: "agent",
        at: now,
        data: {}
      })
      yield* recordEvents([contactEvent("contact.updated", changed)], now)
      return changed
    })
  )
})

/**
 * Archives a contact. It disappears from the lists and keeps its history. When the contact writes again, it returns to
 * the lists. Idempotent.
 */
export const archiveContact = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  return yield* setArchived(tenantId, contactId, true)
}, withSpan("archiveContact"))

/** Restores a contact from the archive. Idempotent. */
export const restoreContact = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
  return yield* setArchived(tenantId, contactId, false)
}, withSpan("restoreContact"))
