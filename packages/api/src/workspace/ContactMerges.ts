import type { Contact as ContactNoun } from "@leadloom/core/domain/contact/Contact"
import { MergeHead } from "@leadloom/core/domain/contact/ContactMerge"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { Contact, contactToJson } from "../schema/ContactRecord.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { IdempotencyKey, TenantPath, text, Timestamp } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

/** Two contacts to merge, and which of them remains. */
export const ContactPair = Schema.Struct({
  primary_contact_id: text(64).annotate({
    description: "The contact that remains and receives all data of the other contact"
  }),
  duplicate_contact_id: text(64).annotate({ description: "The contact whose data moves to the primary contact" })
}).annotate({ identifier: "ContactPair" })

const merge = wire(MergeHead, null, {
  pick: ["mergeId", "primaryId", "duplicateId", "mergedAt", "undoneAt"],
  names: { primaryId: "primary_contact_id", duplicateId: "duplicate_contact_id" }
})

export const ContactMerge = Schema.Struct({
  ...merge.schema.fields,
  contact: Contact.annotate({ description: "The current primary contact" }),
  duplicate: Contact
}).annotate({ identifier: "ContactMerge" })

/** Encodes a merge with the current records of both contacts. */
export const mergeToJson = (result: {
  readonly merge: MergeHead
  readonly primary: ContactNoun
  readonly duplicate: ContactNoun
}): typeof ContactMerge.Type => ({
  ...merge.toJson(result.merge),
  contact: contactToJson(result.primary),
  duplicate: contactToJson(result.duplicate)
})

export const Moved = Schema.Struct({
  identities: Schema.Int,
  messages: Schema.Int,
  leads: Schema.Int,
  tasks: Schema.Int,
  drafts: Schema.Int
}).annotate({ identifier: "MovedCounts" })

export const MergeSuggestion = Schema.Struct({
  primary_contact_id: Schema.String,
  duplicate_contact_id: Schema.String,
  reason: Schema.String,
  created_at: Timestamp,
  primary: Contact,
  duplicate: Contact
}).annotate({ identifier: "MergeSuggestion" })

export const ContactMergesGroup = HttpApiGroup.make("contactMerges")
  .add(
    HttpApiEndpoint.post("merge", "/tenants/:tenant_id/contacts/merge", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: ContactPair,
      success: Schema.Struct({ ...ContactMerge.fields, moved: Moved }).annotate({ identifier: "MergedContacts" }),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Move all data of the duplicate contact to the primary contact")
      .annotate(Gate, gate("contactMerges.merge", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.post("undo", "/tenants/:tenant_id/contacts/merges/:merge_id/undo", {
      params: { ...TenantPath, merge_id: Schema.String },
      headers: IdempotencyKey,
      success: ContactMerge,
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Undo a merge. If several contacts were merged into one, the latest merge must be undone first"
      )
      .annotate(Gate, gate("contactMerges.undo", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("suggestions", "/tenants/:tenant_id/contacts/merge-suggestions", {
      params: TenantPath,
      query: {
        cursor: Schema.optionalKey(Schema.String),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })))
      },
      success: Schema.Struct({
        suggestions: Schema.Array(MergeSuggestion),
        next_cursor: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "MergeSuggestionPage" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List pairs of contacts that are probably the same person, newest first")
      .annotate(Gate, gate("contactMerges.suggestions", { limiter: "admin" })),
    HttpApiEndpoint.post("dismiss", "/tenants/:tenant_id/contacts/merge-suggestions/dismiss", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: ContactPair,
      success: Schema.Struct({ success: Schema.Literal(true) }).annotate({ identifier: "Success" }),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Dismiss a suggestion, because the two contacts are different people. The pair is not suggested again"
      )
      .annotate(Gate, gate("contactMerges.dismiss", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Contact merges", description: "Merging of duplicate contacts" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
