import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { Contact, editable } from "../schema/ContactRecord.ts"
import { IdempotencyKey, TenantPath, text } from "../schema/Field.ts"

export const CreateContact = Schema.Struct(editable).annotate({ identifier: "CreateContact" })
export const UpdateContact = Schema.Struct(editable).annotate({ identifier: "UpdateContact" })

export const ResolveContact = Schema.Struct({
  email: Schema.optionalKey(text(320)),
  phone: Schema.optionalKey(text(64)).annotate({
    description: "In any spelling; a national one is of the tenant's country"
  }),
  external_id: Schema.optionalKey(text(255)),
  source: Schema.optionalKey(text(255)).annotate({ description: "Who gave the external_id; needed with it" }),
  name: Schema.optionalKey(text(320)).annotate({ description: "Of the contact that is made" }),
  create: Schema.optionalKey(Schema.Boolean).annotate({ description: "Make a contact when nobody is known" })
}).annotate({ identifier: "ResolveContact" })

const ContactPath = { ...TenantPath, contact_id: Schema.String }

export const ContactsGroup = HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/contacts", {
      params: TenantPath,
      query: {
        archived: Schema.optionalKey(Schema.Literals(["true", "false"])).annotate({
          description: "Those in the archive instead"
        }),
        cursor: Schema.optionalKey(Schema.String),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 250 })))
      },
      success: Schema.Struct({
        contacts: Schema.Array(Contact),
        next_cursor: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "ContactPage" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List contacts that are not archived, or those that are, newest first")
      .annotate(Gate, gate("contacts.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/contacts", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateContact,
      success: Contact.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a contact")
      .annotate(Gate, gate("contacts.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/contacts/:contact_id", {
      params: ContactPath,
      success: Contact,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a contact")
      .annotate(Gate, gate("contacts.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/contacts/:contact_id", {
      params: ContactPath,
      payload: UpdateContact,
      success: Contact,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change a contact: fields that are given; tags and attributes as a whole")
      .annotate(Gate, gate("contacts.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("archive", "/tenants/:tenant_id/contacts/:contact_id", {
      params: ContactPath,
      success: Contact,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Archive a contact: a soft delete")
      .annotate(Gate, gate("contacts.archive", { limiter: "admin" })),
    HttpApiEndpoint.post("restore", "/tenants/:tenant_id/contacts/:contact_id/restore", {
      params: ContactPath,
      headers: IdempotencyKey,
      success: Contact,
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Take a contact out of the archive")
      .annotate(Gate, gate("contacts.restore", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.post("resolve", "/tenants/:tenant_id/contacts/resolve", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: ResolveContact,
      success: Schema.Struct({
        contact: Contact,
        created: Schema.Boolean,
        other_contact_ids: Schema.Array(Schema.String).annotate({
          description: "Who else is known under one of these; the oldest is the contact"
        })
      }).annotate({ identifier: "ResolvedContact" }),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Find the contact of an email, a phone or an external id; 404 when nobody is known")
      .annotate(Gate, gate("contacts.resolve", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Contacts", description: "People and businesses that write" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
