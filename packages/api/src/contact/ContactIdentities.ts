import { maxIdentityLabel } from "@leadloom/core/internal/domain/contact/ContactIdentity"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { IdempotencyKey, TenantPath, text, Timestamp } from "../schema/Field.ts"
import { contactId, identityId } from "../schema/Ids.ts"

export const ContactIdentity = Schema.Struct({
  id: identityId,
  kind: Schema.Literals(["email", "phone", "external"]).annotate({
    description: "The kind of the identity; `external`: an id of another system"
  }),
  value: Schema.String.annotate({ description: "The normalised address, the number in E.164, or the external id" }),
  source: Schema.NullOr(Schema.String).annotate({
    description: "The system that assigned an external id; null for email and phone"
  }),
  label: Schema.NullOr(Schema.String).annotate({ description: "A name such as `work`; null: none" }),
  primary: Schema.Boolean.annotate({
    description: "Whether this is the contact's `email` or `phone`, to which new messages and calls go"
  }),
  verified: Schema.Boolean.annotate({
    description: "Whether a person or an integration confirmed that the identity belongs to the contact"
  }),
  verified_at: Schema.NullOr(Timestamp).annotate({
    description: "The time of the confirmation (ISO 8601 in UTC); null: not confirmed"
  }),
  undeliverable: Schema.NullOr(Schema.String).annotate({
    description: "Why messages can no longer be sent to this identity"
  }),
  created_at: Timestamp.annotate({ description: "The time at which the contact got the identity (ISO 8601 in UTC)" })
}).annotate({ identifier: "ContactIdentity", description: "An address, a phone number or an external id of a contact" })

const changes = {
  label: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(maxIdentityLabel)))).annotate({
    description: `A name such as \`work\`; at most ${maxIdentityLabel} characters; null removes it`
  }),
  primary: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "true makes this identity the contact's `email` or `phone`"
  }),
  verified: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether a person or an integration confirmed that the identity belongs to the contact"
  })
}

export const AddIdentity = Schema.Struct({
  kind: Schema.Literals(["email", "phone"]).annotate({ description: "The kind of the identity" }),
  value: text(320).annotate({
    description: "The email address, or a phone number with its country code or of the tenant's country"
  }),
  ...changes
}).annotate({ identifier: "AddIdentity", description: "A new email address or phone number of a contact" })

export const UpdateIdentity = Schema.Struct({
  ...changes,
  undeliverable: Schema.optionalKey(Schema.Null).annotate({
    description: "null allows messages again after an address bounced or a number was unreachable"
  })
}).annotate({ identifier: "UpdateIdentity", description: "The properties to change. Absent properties stay" })

const ContactPath = { ...TenantPath, contact_id: contactId }
const IdentityPath = { ...ContactPath, identity_id: identityId }
const path = "/tenants/:tenant_id/contacts/:contact_id/identities"

const IdentityList = Schema.Struct({
  identities: Schema.Array(ContactIdentity).annotate({ description: "The identities of the contact, oldest first" })
}).annotate({ identifier: "ContactIdentityList", description: "The identities of a contact" })

/** The email addresses, phone numbers and external ids of a contact. */
export const ContactIdentitiesGroup = HttpApiGroup.make("contactIdentities")
  .add(
    HttpApiEndpoint.get("list", path, { params: ContactPath, success: IdentityList, error: NotFound })
      .annotate(OpenApi.Summary, "List the identities of a contact, oldest first")
      .annotate(OpenApi.Description, "At most one email address and one phone number are primary.")
      .annotate(Gate, gate("contactIdentities.list", { limiter: "admin" })),
    HttpApiEndpoint.post("add", path, {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: AddIdentity,
      success: ContactIdentity.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Add an email address or phone number to a contact")
      .annotate(
        OpenApi.Description,
        "The first identity of its kind becomes primary. If another contact has the identity, the status is 409 and `details` names that contact; merge the two contacts instead."
      )
      .annotate(Gate, gate("contactIdentities.add", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.patch("update", `${path}/:identity_id`, {
      params: IdentityPath,
      payload: UpdateIdentity,
      success: ContactIdentity,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Change an identity of a contact")
      .annotate(
        OpenApi.Description,
        "Replies go to the address of the answered message, also after another identity becomes primary."
      )
      .annotate(Gate, gate("contactIdentities.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", `${path}/:identity_id`, {
      params: IdentityPath,
      success: IdentityList,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Remove an identity from a contact")
      .annotate(
        OpenApi.Description,
        "Later messages from this identity belong to another contact. If the identity was primary, the oldest one of the same kind becomes primary."
      )
      .annotate(Gate, gate("contactIdentities.remove", { limiter: "admin" }))
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Contact identities",
      description: "Email addresses, phone numbers and external ids of contacts"
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
