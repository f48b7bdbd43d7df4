import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import { Events, type SequencedEvent } from "../../port/repository/webhook/Events.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import type { EncodedEvent } from "./DeliveryRequest.ts"
import { envelopeOf } from "../../domain/webhook/Event.ts"

/**
 * The number of events per read. A page ends at a multiple of this number, so that subscriptions with different
 * positions can share pages.
 */
export const eventsPerPage = 128

/** The maximum number of cached pages. Other subscriptions of the same tenant use them. */
const pagesKept = 256

/** The lifetime of a cached page in milliseconds. During this time, an event that has been erased may still be sent. */
const keptMillis = 1_000

/** Encodes an event for sending. */
export const encodeEvent = (sequenced: SequencedEvent): EncodedEvent => ({
  ...sequenced,
  body: utf8ToBytes(envelopeOf(sequenced.event))
})

/** Reads and encodes a tenant's events after a sequence number, up to the end of a page. */
export type ReadEncodedEvents = (
  tenantId: string,
  position: number
) => Effect.Effect<ReadonlyArray<EncodedEvent>, StoreUnavailable, Events>

/** Creates a reader with a cache. Subscriptions with the same position share one read. */
export const makeEncodedEventReader = (): ReadEncodedEvents => {
  const pages = new Map<string, { readonly until: number; readonly encodedEvents: ReadonlyArray<EncodedEvent> }>()
  return Effect.fnUntraced(function* (tenantId: string, position: number) {
    const key = `${tenantId}:${position}`
    const now = yield* Clock.currentTimeMillis
    const kept = pages.get(key)
    if (kept !== undefined && now < kept.until) return kept.encodedEvents
    const wanted = eventsPerPage - (position % eventsPerPage)
    const encodedEvents = (yield* (yield* Events).after(tenantId, position, wanted)).map(encodeEvent)
    // An incomplete page may grow, so it is not cached.
    if (encodedEvents.length < wanted) return encodedEvents
    pages.delete(key)
    pages.set(key, { until: now + keptMillis, encodedEvents })
    for (const [oldest, { until }] of pages) {
      if (until > now && pages.size <= pagesKept) break
      pages.delete(oldest)
    }
    return encodedEvents
  })
}
