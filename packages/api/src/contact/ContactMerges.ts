import type { Contact as ContactNoun } from "@leadloom/core/internal/domain/contact/Contact"
import { MergeHead } from "@leadloom/core/internal/domain/contact/ContactMerge"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { Contact, contactToJson } from "../schema/ContactRecord.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { IdempotencyKey, TenantPath, text, Timestamp, cursor, nextCursor, pageSize } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

/** Two contacts to merge, and which of them remains. */
export const ContactPair = Schema.Struct({
  primary_contact_id: text(64).annotate({
    description: "The contact that remains and receives all data of the other contact"
  }),
  duplicate_contact_id: text(64).annotate({ description: "The contact whose data moves to the primary contact" })
}).annotate({ identifier: "ContactPair", description: "Two contacts, and which of them remains" })

const merge = wire(MergeHead, null, {
  pick: ["mergeId", "primaryId", "duplicateId", "mergedAt", "undoneAt"],
  names: { primaryId: "primary_contact_id", duplicateId: "duplicate_contact_id" }
})

export const ContactMerge = Schema.Struct({
  ...merge.schema.fields,
  contact: Contact.pipe(Schema.annotateKey({ description: "The current primary contact" })),
  duplicate: Contact
}).annotate({ identifier: "ContactMerge", description: "A merge and both contacts" })

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
  identities: Schema.Int.annotate({ description: "The number of addresses, phone numbers and external ids" }),
  messages: Schema.Int.annotate({ description: "The number of messages" }),
  leads: Schema.Int.annotate({ description: "The number of leads" }),
  tasks: Schema.Int.annotate({ description: "The number of tasks" }),
  drafts: Schema.Int.annotate({ description: "The number of drafts" })
}).annotate({ identifier: "MovedCounts", description: "The records that moved to the primary contact" })

export const MergeSuggestion = Schema.Struct({
  primary_contact_id: Schema.String.annotate({ description: "The older contact, which would remain" }),
  duplicate_contact_id: Schema.String.annotate({ description: "The contact whose data would move" }),
  reason: Schema.String.annotate({ description: "Why the two contacts are probably the same person" }),
  created_at: Timestamp,
  primary: Contact,
  duplicate: Contact
}).annotate({
  identifier: "MergeSuggestion",
  description: "Two contacts that are probably the same person. Nothing merges automatically"
})

export const ContactMergesGroup = HttpApiGroup.make("contactMerges")
  .add(
    HttpApiEndpoint.post("merge", "/tenants/:tenant_id/contacts/merge", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: ContactPair,
      success: Schema.Struct({
        ...ContactMerge.fields,
        moved: Moved.pipe(Schema.annotateKey({ description: "The records that moved to the primary contact" }))
      }).annotate({ identifier: "MergedContacts", description: "A completed merge and both contacts" }),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Move all data of the duplicate contact to the primary contact")
      .annotate(
        OpenApi.Description,
        "The duplicate becomes read-only and names the primary contact in `merged_into`. The merge can be undone."
      )
      .annotate(Gate, gate("contactMerges.merge", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.post("undo", "/tenants/:tenant_id/contacts/merges/:merge_id/undo", {
      params: { ...TenantPath, merge_id: Schema.String.annotate({ description: "Merge id (`mrg_…`)" }) },
      headers: IdempotencyKey,
      success: ContactMerge,
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Undo a merge. If several contacts were merged into one, the latest merge must be undone first"
      )
      .annotate(
        OpenApi.Description,
        "Records that existed before the merge move back; later records stay with the primary contact."
      )
      .annotate(Gate, gate("contactMerges.undo", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("suggestions", "/tenants/:tenant_id/contacts/merge-suggestions", {
      params: TenantPath,
      query: {
        cursor,
        limit: pageSize(100, 50)
      },
      success: Schema.Struct({
        suggestions: Schema.Array(MergeSuggestion).annotate({ description: "The suggestions, newest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "MergeSuggestionPage", description: "A page of suggestions" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List pairs of contacts that are probably the same person, newest first")
      .annotate(
        OpenApi.Description,
        "A suggestion arises when one message has identities of two contacts. Nothing merges automatically."
      )
      .annotate(Gate, gate("contactMerges.suggestions", { limiter: "admin" })),
    HttpApiEndpoint.post("dismiss", "/tenants/:tenant_id/contacts/merge-suggestions/dismiss", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: ContactPair,
      success: Schema.Struct({ success: Schema.Literal(true).annotate({ description: "Always true" }) }).annotate({
        identifier: "Success",
        description: "The confirmation of a change"
      }),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Dismiss a suggestion, because the two contacts are different people. The pair is not suggested again"
      )
      .annotate(OpenApi.Description, "Both ids are required, because a suggestion is a pair.")
      .annotate(Gate, gate("contactMerges.dismiss", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Contact merges", description: "Merging of duplicate contacts" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
