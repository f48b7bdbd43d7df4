import { contactSorts } from "@leadloom/core/internal/domain/contact/ContactFilter"
import { maxSegments, Segment as SegmentNoun } from "@leadloom/core/internal/domain/segment/Segment"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { cursor, IdempotencyKey, isoTime, pageSize, TenantPath, Timestamp } from "../schema/Field.ts"
import { ContactFilter, filterToJson } from "./ContactFilter.ts"
import { EnrichedPage } from "./ContactViews.ts"

const { name } = SegmentNoun.fields

export const Segment = Schema.Struct({
  id: Schema.String.annotate({ description: "Segment id (`seg_…`)" }),
  name: Schema.String.annotate({ description: "The name that agents see" }),
  filters: ContactFilter,
  created_at: Timestamp.annotate({ description: "The time at which the segment was created (ISO 8601 in UTC)" }),
  updated_at: Timestamp.annotate({ description: "The time of the last change of the segment (ISO 8601 in UTC)" })
}).annotate({ identifier: "Segment", description: "A saved filter of contacts" })

/** Encodes a segment. */
export const segmentToJson = ({
  createdAt,
  filters,
  name,
  segmentId,
  updatedAt
}: SegmentNoun): typeof Segment.Type => ({
  id: segmentId,
  name,
  filters: filterToJson(filters),
  created_at: isoTime(createdAt),
  updated_at: isoTime(updatedAt)
})

export const CountedSegment = Schema.Struct({
  ...Segment.fields,
  count: Schema.Int.annotate({ description: "The number of members among the 10,000 latest contacts that were read" }),
  count_is_exact: Schema.Boolean.annotate({
    description: "false: more contacts exist than were read, so the segment has at least `count` members"
  })
}).annotate({ identifier: "CountedSegment", description: "A segment with the number of its members" })

export const CreateSegment = Schema.Struct({ name, filters: ContactFilter }).annotate({
  identifier: "CreateSegment",
  description: "A new segment"
})

export const UpdateSegment = Schema.Struct({
  name: Schema.optionalKey(name),
  filters: Schema.optionalKey(ContactFilter).pipe(Schema.annotateKey({ description: "Replaces all filters" }))
}).annotate({ identifier: "UpdateSegment", description: "The properties to change" })

const SegmentPath = { ...TenantPath, segment_id: Schema.String.annotate({ description: "Segment id (`seg_…`)" }) }
const path = "/tenants/:tenant_id/segments"

/** The segments of a tenant. */
export const SegmentsGroup = HttpApiGroup.make("segments")
  .add(
    HttpApiEndpoint.get("list", path, {
      params: TenantPath,
      success: Schema.Struct({
        segments: Schema.Array(Segment).annotate({ description: "The segments, oldest first" })
      }).annotate({ identifier: "SegmentList", description: "The segments of a tenant" }),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "List the segments of a tenant, oldest first")
      .annotate(OpenApi.Description, `A tenant has at most ${maxSegments} segments, so the list has no pages.`)
      .annotate(Gate, gate("segments.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", path, {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateSegment,
      success: Segment.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a segment")
      .annotate(OpenApi.Description, "The members are determined when they are read.")
      .annotate(Gate, gate("segments.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", `${path}/:segment_id`, {
      params: SegmentPath,
      success: CountedSegment,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a segment with the number of its members")
      .annotate(OpenApi.Description, "Counting reads at most 10,000 contacts.")
      .annotate(Gate, gate("segments.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", `${path}/:segment_id`, {
      params: SegmentPath,
      payload: UpdateSegment,
      success: Segment,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Change the name or the filters of a segment")
      .annotate(OpenApi.Description, "New filters replace all filters of the segment.")
      .annotate(Gate, gate("segments.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", `${path}/:segment_id`, { params: SegmentPath, success: Segment, error: NotFound })
      .annotate(OpenApi.Summary, "Delete a segment")
      .annotate(OpenApi.Description, "Its members do not change.")
      .annotate(Gate, gate("segments.remove", { limiter: "admin" })),
    HttpApiEndpoint.get("contacts", `${path}/:segment_id/contacts`, {
      params: SegmentPath,
      query: {
        sort: Schema.optionalKey(Schema.Literals(contactSorts)).annotate({
          description: "The order: latest activity first, newest first, or by name. Default: last_activity"
        }),
        cursor,
        limit: pageSize(100, 50)
      },
      success: EnrichedPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the members of a segment")
      .annotate(
        OpenApi.Description,
        "A change of the filters makes cursors invalid (400), because they belong to the earlier members. With `Accept: text/csv`, the response is a CSV file with all members instead of a page. Its columns are the fields of a CSV import."
      )
      .annotate(Gate, gate("segments.contacts", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Segments", description: "Saved filters of contacts" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
