import { Events, type SequencedEvent } from "@leadloom/core/port/repository/webhook/Events"
import { envelopeOf, type EventType } from "@leadloom/core/domain/webhook/Event"
import { readEvents } from "@leadloom/core/workflow/delivery/ReadEvents"
import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import type { Tenants } from "@leadloom/core/port/repository/tenant/Tenants"
import { SubscriptionInvalid } from "@leadloom/core/domain/webhook/Subscription"
import { Clock, Effect, Option, Stream } from "effect"
import { EventStreams } from "./EventStreams.ts"

/** Without an event for so long a line says that the stream is alive. */
const heartbeatMillis = 15_000

/** A stream ends after so long, and the client comes back with its credential. */
const maxFollowMillis = 1_800_000

/** Between two looks: what happens meanwhile comes together. */
const pauseMillis = 20

/** Events written at once. */
const eventsPerPage = 100

/** The number that a client has seen last, as `Last-Event-ID` says it; null: it does not. */
export const lastSeen = (header: string | undefined): Effect.Effect<number | null, SubscriptionInvalid> => {
  if (header === undefined || header === "") return Effect.succeed(null)
  if (/^\d{1,15}$/u.test(header)) return Effect.succeed(Number(header))
  const message = "Expected the id of an event of this stream: a whole number."
  return Effect.fail(new SubscriptionInvalid({ issues: [{ path: "last-event-id", message }] }))
}

const encoder = new TextEncoder()

/** A server-sent event (HTML, section 9.2.6). The envelope has no line breaks in it. */
const written = ({ event, sequence }: SequencedEvent): string =>
  `id: ${sequence}\nevent: ${event.type}\ndata: ${envelopeOf(event)}\n\n`

/** A comment, and the number up to which was looked: who comes back goes on there. */
const heartbeat = (seen: number): string => `: nothing new\nid: ${seen}\n\n`

/** Which events of a tenant are sent. */
export interface Following {
  readonly tenantId: string
  /** Null: all. */
  readonly types: ReadonlyArray<EventType> | null
  readonly after: number
  /** Whether to wait for those that have not happened. */
  readonly follow: boolean
  /** Whether the credential that the stream was opened with is still good. */
  readonly isGood: Effect.Effect<boolean, StoreUnavailable>
}

/**
 * A tenant's events after a number, as they happen, as bytes of server-sent events. It takes a place among the tenant's
 * streams until the request is over, and ends when the server stops or the credential is over.
 */
export const followEvents = Effect.fnUntraced(function* ({ after, follow, isGood, tenantId, types }: Following) {
  const { closing, open } = yield* EventStreams
  yield* open(tenantId)
  const wait = yield* (yield* Events).watch(tenantId)
  const began = yield* Clock.currentTimeMillis
  const read = (seen: number) => readEvents(tenantId, { after: seen, limit: eventsPerPage, types })
  yield* read(after)
  /** Reads on, or waits until there may be something to read. */
  const next = Effect.fnUntraced(function* ({ quiet, seen }: { readonly quiet: number; readonly seen: number }) {
    if (!(yield* isGood)) return [[], Option.none()] as const
    const { events, hasMore, nextAfter } = yield* read(seen)
    const now = yield* Clock.currentTimeMillis
    if (events.length > 0 || hasMore) {
      const text = events.map(written).join("")
      return [text === "" ? [] : [text], Option.some({ quiet: now, seen: nextAfter })] as const
    }
    if (!follow || now - began >= maxFollowMillis) return [[], Option.none()] as const
    if (now - quiet >= heartbeatMillis) {
      return [[heartbeat(nextAfter)], Option.some({ quiet: now, seen: nextAfter })] as const
    }
    const ended = yield* Effect.raceFirst(
      Effect.as(wait(heartbeatMillis - (now - quiet)), false),
      Effect.as(closing, true)
    )
    if (ended) return [[], Option.none()] as const
    yield* Effect.sleep(pauseMillis)
    return [[], Option.some({ quiet, seen: nextAfter })] as const
  })
  const hello = Stream.make(`retry: 2000\n${heartbeat(after)}`)
  return Stream.concat(hello, Stream.paginate({ quiet: began, seen: after }, next)).pipe(
    Stream.map((text) => encoder.encode(text)),
    Stream.catchTag("StoreUnavailable", ({ reason }) =>
      Stream.fromEffectDrain(Effect.logWarning("a stream of events ends: the store does not answer", { reason }))
    ),
    Stream.orDie,
    Stream.provideContext(yield* Effect.context<Events | Tenants>())
  )
})
