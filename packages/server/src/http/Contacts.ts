import { Api } from "@leadloom/api/Api"
import type * as Wire from "@leadloom/api/Contacts"
import { isoTime } from "@leadloom/api/Field"
import { archiveContact } from "@leadloom/core/contact/ArchiveContact"
import type { Contact } from "@leadloom/core/contact/Contact"
import { createContact } from "@leadloom/core/contact/CreateContact"
import { listContacts } from "@leadloom/core/contact/ListContacts"
import { updateContact } from "@leadloom/core/contact/UpdateContact"
import { Contacts } from "@leadloom/core/port/Contacts"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "./errors.ts"

/** Contacts on a page whose size nobody has named. */
const usualPageSize = 50

const toJson = (contact: Contact): typeof Wire.Contact.Type => ({
  id: contact.contactId,
  name: contact.name,
  email: contact.email,
  phone: contact.phone,
  company: contact.company,
  notes: contact.notes,
  tags: contact.tags,
  archived: contact.archivedAt !== null,
  created_at: isoTime(contact.createdAt),
  updated_at: isoTime(contact.updatedAt)
})

/** Contacts, by hand. */
export const layer = HttpApiBuilder.group(Api, "contacts", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      const page = { limit: query.limit ?? usualPageSize, cursor: query.cursor ?? null }
      const { contacts, nextCursor } = yield* answer(listContacts(params.tenant_id, page))
      return { contacts: contacts.map(toJson), next_cursor: nextCursor }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      return toJson(yield* answer(createContact(params.tenant_id, payload)))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const contacts = yield* Contacts
      return toJson(yield* answer(contacts.get(params.tenant_id, params.contact_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return toJson(yield* answer(updateContact(params.tenant_id, params.contact_id, payload)))
    }),
    archive: Effect.fnUntraced(function* ({ params }) {
      return toJson(yield* answer(archiveContact(params.tenant_id, params.contact_id)))
    })
  })
)
