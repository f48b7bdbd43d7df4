// Endpoints of contacts: records, views and merges. Tests: `packages/server/test/http/contact`.

import { maxNamedContacts } from "@leadloom/core/internal/workflow/contact/ListContacts"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { Contact, CreateContact, UpdateContact } from "../schema/ContactRecord.ts"
import { IdempotencyKey, TenantPath, text, cursor, nextCursor, pageSize, unstated } from "../schema/Field.ts"
import { contactId } from "../schema/Ids.ts"

export const ResolveContact = Schema.Struct({
  email: Schema.optionalKey(text(320)).annotate({ description: "An email address; upper and lower case are equal" }),
  phone: Schema.optionalKey(text(64)).annotate({
    description: "In any notation. A number without a country code is read as a number of the tenant's country"
  }),
  external_id: Schema.optionalKey(text(255)).annotate({
    description: "The id of the contact in the system that `source` names"
  }),
  source: Schema.optionalKey(text(255)).annotate({
    description: "The system that assigned the external_id; required with external_id"
  }),
  name: Schema.optionalKey(text(320)).annotate({ description: "The name of a newly created contact" }),
  create: Schema.optionalKey(Schema.Boolean).annotate({ description: "Create a contact if none is found" })
}).annotate({
  identifier: "ResolveContact",
  description: "At least one identity to look for: email, phone, or external_id with source"
})

const NamedContacts = Schema.String.check(
  Schema.makeFilter(
    (list) => {
      const ids = list.split(",")
      return ids.length <= maxNamedContacts && ids.every((id) => id.length > 0 && id.length <= 64)
    },
    { ...unstated, message: `Expected 1 to ${maxNamedContacts} ids, separated by commas` }
  )
)

const ContactPath = { ...TenantPath, contact_id: contactId }

export const ContactsGroup = HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/contacts", {
      params: TenantPath,
      query: {
        archived: Schema.optionalKey(Schema.Literals(["true", "false"])).annotate({
          description: "true: only archived contacts"
        }),
        ids: Schema.optionalKey(NamedContacts).annotate({
          description: `Only the contacts with these ids, separated by commas, on one page; at most ${maxNamedContacts}. Archived and merged contacts are included, and the other parameters have no effect`
        }),
        cursor,
        limit: pageSize(250, 50)
      },
      success: Schema.Struct({
        contacts: Schema.Array(Contact).annotate({ description: "The contacts, newest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "ContactPage", description: "A page of contacts" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List active or archived contacts, newest first")
      .annotate(
        OpenApi.Description,
        "Merged contacts are not listed; use the primary contact. With `Accept: text/csv`, the response is a CSV file with all contacts instead of a page. Its columns are the fields of a CSV import."
      )
      .annotate(Gate, gate("contacts.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/contacts", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateContact,
      success: Contact.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a contact")
      .annotate(OpenApi.Description, "A contact with the same email address or phone number is a conflict (409).")
      .annotate(Gate, gate("contacts.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/contacts/:contact_id", {
      params: ContactPath,
      success: Contact,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a contact")
      .annotate(
        OpenApi.Description,
        "Returns archived and merged contacts too. `merged_into` names the primary contact."
      )
      .annotate(Gate, gate("contacts.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/contacts/:contact_id", {
      params: ContactPath,
      payload: UpdateContact,
      success: Contact,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change the given fields of a contact; tags and attributes are replaced as a whole")
      .annotate(OpenApi.Description, "A merged contact is read-only: the status is 409.")
      .annotate(Gate, gate("contacts.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("archive", "/tenants/:tenant_id/contacts/:contact_id", {
      params: ContactPath,
      success: Contact,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Archive a contact (soft delete)")
      .annotate(OpenApi.Description, "The conversation stays. A new message of the contact is stored as usual.")
      .annotate(Gate, gate("contacts.archive", { limiter: "admin" })),
    HttpApiEndpoint.post("restore", "/tenants/:tenant_id/contacts/:contact_id/restore", {
      params: ContactPath,
      headers: IdempotencyKey,
      success: Contact,
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Restore a contact from the archive")
      .annotate(OpenApi.Description, "The contact appears in lists again.")
      .annotate(Gate, gate("contacts.restore", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.post("resolve", "/tenants/:tenant_id/contacts/resolve", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: ResolveContact,
      success: Schema.Struct({
        contact: Contact,
        created: Schema.Boolean.annotate({ description: "Whether the request created the contact" }),
        other_contact_ids: Schema.Array(Schema.String).annotate({
          description: "Other contacts that have one of the given identities. `contact` is the oldest of all matches"
        })
      }).annotate({ identifier: "ResolvedContact", description: "The contact with the given identity" }),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Find the contact with an email, a phone number or an external id; 404 if there is none"
      )
      .annotate(
        OpenApi.Description,
        "Identities are normalised first: email in lower case, phone numbers in E.164. With `create`, a missing contact is created."
      )
      .annotate(Gate, gate("contacts.resolve", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Contacts", description: "People and businesses that write to a tenant" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
