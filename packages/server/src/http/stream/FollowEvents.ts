/**
 * Streamed responses: server-sent events and downloads. Event selection belongs in
 * `packages/core/src/workflow/webhook`. Tests: `packages/server/test/http/webhook/EventFeed.test.ts` and
 * `packages/server/test/http/Download.test.ts`.
 */

import { Events, type SequencedEvent } from "@leadloom/core/internal/port/repository/webhook/Events"
import { envelopeOf, type EventType } from "@leadloom/core/internal/domain/webhook/Event"
import { readEvents } from "@leadloom/core/internal/workflow/webhook/ReadEvents"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import type { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { SubscriptionInvalid } from "@leadloom/core/internal/domain/webhook/Subscription"
import { Clock, Duration, Effect, Option, Stream } from "effect"
import { Sse } from "effect/encoding"
import { EventStreams } from "./EventStreams.ts"
import { presenceEvents } from "./PresenceEvents.ts"
import { log } from "../../LogEvents.ts"

/** The time without an event after which a heartbeat is sent, in milliseconds. */
const heartbeatMillis = 15_000

/**
 * The maximum duration of a stream in milliseconds. Afterwards, the client reconnects and sends its credential again.
 */
const maxFollowMillis = 1_800_000

/** The pause between two reads. Events that happen during the pause are sent together. */
const pause = Duration.millis(20)

/** The maximum number of events per write. */
const eventsPerPage = 100

/** Returns the number of the last event that the client has received, from `Last-Event-ID`; null without the header. */
export const lastSeen = (header: string | undefined): Effect.Effect<number | null, SubscriptionInvalid> => {
  if (header === undefined || header === "") return Effect.succeed(null)
  if (/^\d{1,15}$/u.test(header)) return Effect.succeed(Number(header))
  const message = "Expected the id of an event of this stream, which is an integer."
  return Effect.fail(new SubscriptionInvalid({ issues: [{ path: "last-event-id", message }] }))
}

const encoder = new TextEncoder()

/**
 * Encodes a server-sent event (HTML, section 9.2.6). `Sse.encoder` writes `id` and `event` unchanged, so they must not
 * contain line breaks. They cannot: the id is a number, and the type is one of `eventTypes`.
 */
const written = ({ event, sequence }: SequencedEvent): string =>
  Sse.encoder.write({ _tag: "Event", id: String(sequence), event: event.type, data: envelopeOf(event) })

/** Asks the client to wait 2 s before it reconnects. */
const retry = Sse.encoder.write(new Sse.Retry({ duration: Duration.seconds(2), lastEventId: undefined }))

/**
 * Encodes a comment and the number of the last event read, from which the client continues after a reconnect.
 * `Sse.encoder` cannot encode comments or events without data.
 */
const heartbeat = (seen: number): string => `: nothing new\nid: ${seen}\n\n`

/** The selection of a tenant's events for a stream. */
export interface Following {
  readonly tenantId: string
  /** The selected event types; null for all types. */
  readonly types: ReadonlyArray<EventType> | null
  readonly after: number
  /** Whether the stream waits for new events. If false, it ends after the stored ones. */
  readonly follow: boolean
  /** Whether the stream also carries reports of presence. */
  readonly presence: boolean
  /** Returns whether the credential of the stream is still valid. */
  readonly isGood: Effect.Effect<boolean, StoreUnavailable>
}

/**
 * Streams a tenant's events after a given number as server-sent events: first the stored events, then new ones as they
 * happen. The stream counts against the tenant's limit until the request ends. It ends when the server stops or the
 * credential becomes invalid.
 */
export const followEvents = Effect.fnUntraced(function* (following: Following) {
  const { after, follow, isGood, presence, tenantId, types } = following
  const { closing, open } = yield* EventStreams
  yield* open(tenantId)
  const wait = yield* (yield* Events).watch(tenantId)
  const began = yield* Clock.currentTimeMillis
  const read = (seen: number) => readEvents(tenantId, { after: seen, limit: eventsPerPage, types })
  yield* read(after)
  /** Reads the next page, or waits for a new event. */
  const next = Effect.fnUntraced(function* ({ quiet, seen }: { readonly quiet: number; readonly seen: number }) {
    const { events, hasMore, nextAfter } = yield* read(seen)
    // The credential is checked after the read, so that no event from the time after a revocation is sent.
    if (!(yield* isGood)) return [[], Option.none()] as const
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
    yield* Effect.sleep(pause)
    return [[], Option.some({ quiet, seen: nextAfter })] as const
  })
  const hello = Stream.make(`${retry}${heartbeat(after)}`)
  const reports = follow && presence ? yield* presenceEvents(tenantId, isGood) : Stream.never
  return Stream.concat(hello, Stream.paginate({ quiet: began, seen: after }, next)).pipe(
    // The reports end when the credential becomes invalid; the events end then too, or when the stream is over.
    Stream.merge(reports, { haltStrategy: "either" }),
    Stream.map((text) => encoder.encode(text)),
    Stream.catchTag("StoreUnavailable", ({ reason }) => Stream.fromEffectDrain(log("stream.ended", { reason }))),
    Stream.orDie,
    Stream.provideContext(yield* Effect.context<Events | Tenants>())
  )
})
