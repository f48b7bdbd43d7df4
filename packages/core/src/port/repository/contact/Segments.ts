import { Context, type Effect } from "effect"
import type { Segment, SegmentNotFound } from "../../../domain/segment/Segment.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The segments of tenants. */
export class Segments extends Context.Service<
  Segments,
  {
    /** Lists the segments of a tenant, oldest first. */
    readonly list: (tenantId: string) => Effect.Effect<ReadonlyArray<Segment>, StoreUnavailable>
    readonly get: (tenantId: string, segmentId: string) => Effect.Effect<Segment, SegmentNotFound | StoreUnavailable>
    readonly insert: (segment: Segment) => Effect.Effect<void, StoreUnavailable>
    /** Replaces an existing segment. Does nothing for an unknown segment. */
    readonly update: (segment: Segment) => Effect.Effect<void, StoreUnavailable>
    readonly remove: (tenantId: string, segmentId: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/contact/Segments") {}
