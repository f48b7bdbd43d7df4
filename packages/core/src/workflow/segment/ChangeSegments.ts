/**
 * Creates, changes and reads segments of contacts. Tests: `packages/server/test/http/contact/Segments.test.ts`.
 */
import { Clock, Effect } from "effect"
import { maxSegments, type Segment, SegmentLimitReached } from "../../domain/segment/Segment.ts"
import { Segments } from "../../port/repository/contact/Segments.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type ContactPage, countContacts, listEnriched } from "../contact/ListEnriched.ts"
import { withSpan } from "../WithSpan.ts"

/** Lists the segments of a tenant, oldest first. */
export const listSegments = Effect.fnUntraced(function* (tenantId: string) {
  yield* (yield* Tenants).get(tenantId)
  return yield* (yield* Segments).list(tenantId)
}, withSpan("listSegments"))

/** Creates a segment. */
export const createSegment = Effect.fnUntraced(function* (
  tenantId: string,
  { filters, name }: Pick<Segment, "name" | "filters">
) {
  yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  const segmentId = yield* (yield* Ids).next("seg")
  const segment: Segment = { segmentId, tenantId, name, filters, createdAt: now, updatedAt: now }
  const segments = yield* Segments
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const known = yield* segments.list(tenantId)
      if (known.length >= maxSegments) return yield* new SegmentLimitReached({ limit: maxSegments })
      yield* segments.insert(segment)
      return segment
    })
  )
}, withSpan("createSegment"))

/** Changes the name or replaces the filters of a segment. */
export const updateSegment = Effect.fnUntraced(function* (
  tenantId: string,
  segmentId: string,
  changes: Partial<Pick<Segment, "name" | "filters">>
) {
  yield* (yield* Tenants).get(tenantId)
  const updatedAt = yield* Clock.currentTimeMillis
  const segments = yield* Segments
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const segment: Segment = { ...(yield* segments.get(tenantId, segmentId)), ...changes, updatedAt }
      yield* segments.update(segment)
      return segment
    })
  )
}, withSpan("updateSegment"))

/** Deletes a segment and returns it. Its members do not change. */
export const removeSegment = Effect.fnUntraced(function* (tenantId: string, segmentId: string) {
  yield* (yield* Tenants).get(tenantId)
  const segments = yield* Segments
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.tap(segments.get(tenantId, segmentId), () => segments.remove(tenantId, segmentId))
  )
}, withSpan("removeSegment"))

/** Returns a segment and the number of its members. */
export const readSegment = Effect.fnUntraced(function* (tenantId: string, segmentId: string) {
  yield* (yield* Tenants).get(tenantId)
  const segment = yield* (yield* Segments).get(tenantId, segmentId)
  return { segment, ...(yield* countContacts(tenantId, segment.filters)) }
}, withSpan("readSegment"))

/** Returns a page of the members of a segment. */
export const listSegmentContacts = Effect.fnUntraced(function* (
  tenantId: string,
  segmentId: string,
  page: ContactPage
) {
  yield* (yield* Tenants).get(tenantId)
  const { filters } = yield* (yield* Segments).get(tenantId, segmentId)
  return yield* listEnriched(tenantId, filters, page)
}, withSpan("listSegmentContacts"))
