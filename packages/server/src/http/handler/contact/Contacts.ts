import { contactToJson, type UpdateContact } from "@leadloom/api/internal/schema/ContactRecord"
import { Api } from "@leadloom/api/internal/Api"
import { allContacts } from "@leadloom/core/internal/domain/contact/ContactFilter"
import type { ContactFields } from "@leadloom/core/internal/domain/contact/ContactFields"
import { archiveContact, restoreContact } from "@leadloom/core/internal/workflow/contact/ArchiveContact"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { exportContacts } from "@leadloom/core/internal/workflow/contact/ExportContacts"
import { findContact } from "@leadloom/core/internal/workflow/contact/FindContact"
import { requireUnmergedContact } from "@leadloom/core/internal/workflow/contact/ResolveMergedContact"
import { listContacts, listNamedContacts } from "@leadloom/core/internal/workflow/contact/ListContacts"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { csvDownload, wantsCsv } from "../../stream/CsvDownload.ts"
import { answer } from "../../error/errors.ts"

/** The default number of contacts per page. */
const defaultPageSize = 50

const fieldsFromJson = ({ company_id, custom_fields, ...fields }: typeof UpdateContact.Type): ContactFields => ({
  ...fields,
  ...(company_id !== undefined && { companyId: company_id }),
  ...(custom_fields !== undefined && { customFields: custom_fields })
})

/** Endpoints that create and change contacts. */
export const layer = HttpApiBuilder.group(Api, "contacts", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params, query }) {
      if (yield* wantsCsv) {
        const filter = { ...allContacts, archived: query.archived === "true" }
        return csvDownload(params.tenant_id, "contacts", yield* answer(exportContacts(params.tenant_id, filter)))
      }
      if (query.ids !== undefined) {
        const named = yield* answer(listNamedContacts(params.tenant_id, query.ids.split(",")))
        return { contacts: named.map(contactToJson), next_cursor: null }
      }
      const page = {
        limit: query.limit ?? defaultPageSize,
        cursor: query.cursor ?? null,
        archived: query.archived === "true"
      }
      const { contacts, nextCursor } = yield* answer(listContacts(params.tenant_id, page))
      return { contacts: contacts.map(contactToJson), next_cursor: nextCursor }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      return contactToJson(yield* answer(createContact(params.tenant_id, fieldsFromJson(payload))))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      return contactToJson(yield* answer(requireUnmergedContact(params.tenant_id, params.contact_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return contactToJson(yield* answer(updateContact(params.tenant_id, params.contact_id, fieldsFromJson(payload))))
    }),
    archive: Effect.fnUntraced(function* ({ params }) {
      return contactToJson(yield* answer(archiveContact(params.tenant_id, params.contact_id)))
    }),
    restore: Effect.fnUntraced(function* ({ params }) {
      return contactToJson(yield* answer(restoreContact(params.tenant_id, params.contact_id)))
    }),
    resolve: Effect.fnUntraced(function* ({ params, payload }) {
      const { create, external_id, ...question } = payload
      const requested = { ...question, externalId: external_id, create: create ?? false }
      const { contact, created, others } = yield* answer(findContact(params.tenant_id, requested))
      return { contact: contactToJson(contact), created, other_contact_ids: others }
    })
  })
)
