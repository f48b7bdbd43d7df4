import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, type GateDeclaration, RequestValidation } from "./Access.ts"
import { BadRequest, Conflict, NotFound } from "./errors.ts"
import { TenantPath, Timestamp } from "./Field.ts"

export const Contact = Schema.Struct({
  id: Schema.String,
  name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  notes: Schema.NullOr(Schema.String),
  tags: Schema.Array(Schema.String),
  archived: Schema.Boolean,
  created_at: Timestamp,
  updated_at: Timestamp
}).annotate({ identifier: "Contact" })

const short = Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(320))))
const editable = {
  name: short,
  email: short,
  phone: short,
  notes: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(20_000))))
}

export const CreateContact = Schema.Struct({ ...editable, company: short }).annotate({ identifier: "CreateContact" })
export const UpdateContact = Schema.Struct(editable).annotate({ identifier: "UpdateContact" })

const ContactPath = { ...TenantPath, contact_id: Schema.String }
const gate: GateDeclaration = { operation: "agent", limiter: "admin" }

export const ContactsGroup = HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/contacts", {
      params: TenantPath,
      query: {
        cursor: Schema.optionalKey(Schema.String),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 250 })))
      },
      success: Schema.Struct({
        contacts: Schema.Array(Contact),
        next_cursor: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "ContactPage" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List contacts that are not archived, newest first")
      .annotate(Gate, gate),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/contacts", {
      params: TenantPath,
      payload: CreateContact,
      success: Contact.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Create a contact")
      .annotate(Gate, gate),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/contacts/:contact_id", {
      params: ContactPath,
      success: Contact,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a contact")
      .annotate(Gate, gate),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/contacts/:contact_id", {
      params: ContactPath,
      payload: UpdateContact,
      success: Contact,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change a contact's name, email, phone or notes")
      .annotate(Gate, gate),
    HttpApiEndpoint.delete("archive", "/tenants/:tenant_id/contacts/:contact_id", {
      params: ContactPath,
      success: Contact,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Archive a contact: a soft delete")
      .annotate(Gate, gate)
  )
  .annotateMerge(OpenApi.annotations({ title: "Contacts", description: "People and businesses that write" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
