// Segments: saved filters of contacts. The filters themselves belong to `domain/contact`. Tests:
// `packages/testkit/src/suite/segment`, `packages/server/test/http/contact/Segments.test.ts`.

import { Schema } from "effect"
import { ContactFilter } from "../contact/ContactFilter.ts"
import { Time } from "../Field.ts"
import { SegmentId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"

/** The limit of segments per tenant. */
export const maxSegments = 200

/** A saved filter of contacts. Its members are determined when they are read. */
export class Segment extends Schema.Opaque<Segment>()(
  Schema.Struct({
    segmentId: SegmentId.annotate({ description: "Segment id (`seg_…`)" }),
    tenantId: Schema.String,
    name: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(100)).annotate({
      description: "The name that agents see; at most 100 characters"
    }),
    filters: ContactFilter.annotate({ description: "The filters of the segment" }),
    createdAt: Time.annotate({ description: "The time at which the segment was created (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change of the segment (ISO 8601 in UTC)" })
  })
) {}

/** The tenant has no segment with this id. */
export class SegmentNotFound extends TaggedError("SegmentNotFound")<{ readonly segmentId: string }> {}

/** The tenant has the maximum number of segments. */
export class SegmentLimitReached extends TaggedError("SegmentLimitReached")<{ readonly limit: number }> {}
