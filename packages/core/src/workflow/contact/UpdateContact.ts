import { Clock, Effect } from "effect"
import { recordActivity } from "./RecordActivity.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { ContactExists, IdentityInvalid } from "../../domain/contact/Contact.ts"
import { contactChangeEvent } from "../../domain/contact/ContactEvent.ts"
import { type ContactFields, identitiesOfContact, setFields } from "../../domain/contact/ContactFields.ts"
import { requireUnmergedContact } from "./ResolveMergedContact.ts"
import { identityKey, lookupIdentities } from "../../domain/contact/Identity.ts"
import { setCompany, withCompanyOfNewEmail } from "./LinkCompany.ts"
import { setCustomFields } from "../field/SetCustomFields.ts"
import { withSpan } from "../WithSpan.ts"

/** Updates a contact. A replaced address or number no longer identifies the contact. Other identities stay. */
export const updateContact = Effect.fnUntraced(function* (tenantId: string, contactId: string, fields: ContactFields) {
  const { config } = yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  const contacts = yield* Contacts
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* requireUnmergedContact(tenantId, contactId)
      const changed = setFields(before, fields, config.defaultCountry)
      if (changed instanceof IdentityInvalid) return yield* changed
      const valued = yield* setCustomFields(changed, "contact", fields.customFields)
      const chosen = yield* setCompany(valued, fields.companyId)
      const after = { ...(yield* withCompanyOfNewEmail(before, chosen)), updatedAt: now }
      const had = identitiesOfContact(before, config.defaultCountry)
      const has = identitiesOfContact(after, config.defaultCountry)
      const kept = new Set(has.map(identityKey))
      const holders = yield* contacts.holders(tenantId, lookupIdentities(has))
      const other = holders.find(({ contact }) => contact.contactId !== before.contactId)
      if (other !== undefined) {
        return yield* new ContactExists({ contactId: other.contact.contactId, identity: identityKey(other.identity) })
      }
      yield* contacts.detach(
        tenantId,
        before.contactId,
        had.filter((identity) => !kept.has(identityKey(identity)))
      )
      yield* contacts.attach(tenantId, before.contactId, has, now)
      yield* contacts.update(after)
      if (after.notes !== before.notes) {
        yield* recordActivity({
          tenantId,
          contactId: before.contactId,
          leadId: null,
          type: "notes_changed",
          actor: "agent",
          at: now,
          data: { notes: after.notes }
        })
      }
      yield* recordEvents([contactChangeEvent(before, after)], now)
      return after
    })
  )
}, withSpan("updateContact"))
