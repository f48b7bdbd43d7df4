import { Clock, Effect } from "effect"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { ContactExists, emptyContact, IdentityInvalid } from "../../domain/contact/Contact.ts"
import { type ContactFields, identitiesOfContact, setFields } from "../../domain/contact/ContactFields.ts"
import { contactChangeEvent } from "../../domain/contact/ContactEvent.ts"
import { identityKey, lookupIdentities } from "../../domain/contact/Identity.ts"
import { setCompany, withCompany } from "./LinkCompany.ts"
import { setCustomFields } from "../field/SetCustomFields.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Creates a contact with the fields that a person entered. Fails with `ContactExists` when another contact already has
 * the address or number. Never merges contacts.
 */
export const createContact = Effect.fnUntraced(function* (tenantId: string, fields: ContactFields) {
  const { config } = yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  const blank = emptyContact(tenantId, yield* (yield* Ids).next("con"), now)
  const named = setFields(blank, fields, config.defaultCountry)
  if (named instanceof IdentityInvalid) return yield* named
  const identities = identitiesOfContact(named, config.defaultCountry)
  const contacts = yield* Contacts
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const [holder] = yield* contacts.holders(tenantId, lookupIdentities(identities))
      if (holder !== undefined) {
        const { contactId } = holder.contact
        return yield* new ContactExists({ contactId, identity: identityKey(holder.identity) })
      }
      const valued = yield* setCustomFields(named, "contact", fields.customFields)
      const contact = yield* withCompany(yield* setCompany(valued, fields.companyId))
      yield* contacts.insert(contact)
      yield* contacts.attach(tenantId, contact.contactId, identities, now)
      yield* recordEvents([contactChangeEvent(null, contact)], now)
      return contact
    })
  )
}, withSpan("createContact"))
