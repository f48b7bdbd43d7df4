import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import { Events, type SequencedEvent } from "../../port/repository/webhook/Events.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import type { EncodedEvent } from "./DeliveryRequest.ts"
import { envelopeOf } from "../../domain/webhook/Event.ts"

/** Events read at once. Pages end at multiples of it, so that subscriptions that started apart come to read the same. */
export const eventsPerPage = 128

/** Pages kept for the other subscriptions of a tenant. */
const pagesKept = 256

/** For how long, milliseconds: what is erased meanwhile may still go out. */
const keptMillis = 1_000

/** An event ready to be sent. */
export const encodeEvent = (sequenced: SequencedEvent): EncodedEvent => ({
  ...sequenced,
  body: utf8ToBytes(envelopeOf(sequenced.event))
})

/** Reads a tenant's events after a number, as they are sent; no more than to the end of a page. */
export type ReadEncodedEvents = (
  tenantId: string,
  position: number
) => Effect.Effect<ReadonlyArray<EncodedEvent>, StoreUnavailable, Events>

/** Reads events once for all subscriptions of a tenant that are about as far. */
export const makeEncodedEventReader = (): ReadEncodedEvents => {
  const pages = new Map<string, { readonly until: number; readonly encodedEvents: ReadonlyArray<EncodedEvent> }>()
  return Effect.fnUntraced(function* (tenantId: string, position: number) {
    const key = `${tenantId}:${position}`
    const now = yield* Clock.currentTimeMillis
    const kept = pages.get(key)
    if (kept !== undefined && now < kept.until) return kept.encodedEvents
    const wanted = eventsPerPage - (position % eventsPerPage)
    const encodedEvents = (yield* (yield* Events).after(tenantId, position, wanted)).map(encodeEvent)
    // A page that is not full may be longer by now.
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
