import { Effect } from "effect"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { type EventType, eventTypes } from "../../domain/webhook/Event.ts"
import { SubscriptionInvalid } from "../../domain/webhook/Subscription.ts"
import { withSpan } from "../WithSpan.ts"

/** The maximum number of events that are read for one page. Events of types that were not requested count too. */
const eventsPerLook = 2_000

const isEventType = (name: string): name is EventType => eventTypes.some((type) => type === name)

/** Parses a list of event types that are separated by commas. Null means all types. */
export const parseEventTypes = (
  text: string | null
): Effect.Effect<ReadonlyArray<EventType> | null, SubscriptionInvalid> => {
  if (text === null || text.trim() === "") return Effect.succeed(null)
  const names = text.split(",").map((name) => name.trim())
  const known = names.filter(isEventType)
  if (known.length === names.length) return Effect.succeed(known)
  const message = `Expected event types separated by commas: ${eventTypes.join(", ")}.`
  return Effect.fail(new SubscriptionInvalid({ issues: [{ path: "types", message }] }))
}

/** A request for a tenant's events. */
export interface EventQuery {
  readonly after: number
  readonly limit: number
  readonly types: ReadonlyArray<EventType> | null
}

/**
 * Returns up to `limit` events of a tenant after a sequence number, in order and without gaps. `nextAfter` is the last
 * number that was read. Pass it as `after` in the next request.
 */
export const readEvents = Effect.fnUntraced(function* (tenantId: string, { after, limit, types }: EventQuery) {
  yield* (yield* Tenants).get(tenantId)
  const events = yield* Events
  const { first, last } = yield* events.range(tenantId)
  const looked = yield* events.after(tenantId, after, types === null ? limit : eventsPerLook)
  const wanted = looked.filter(({ event }) => types === null || types.includes(event.type)).slice(0, limit)
  const seen = (wanted.length === limit ? wanted : looked).at(-1)?.sequence ?? after
  return { events: wanted, nextAfter: seen, hasMore: seen < last, oldest: first }
}, withSpan("readEvents"))
