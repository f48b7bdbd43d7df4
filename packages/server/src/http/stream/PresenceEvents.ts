import { isoTime } from "@leadloom/api/internal/schema/Field"
import type { PresenceReport } from "@leadloom/core/internal/domain/conversation/Presence"
import { Presences } from "@leadloom/core/internal/port/system/Presences"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, Stream } from "effect"
import { Sse } from "effect/encoding"

/** The type of the server-sent events with reports of presence. They are not outbound events: no webhook gets them. */
const presenceEvent = "conversation.presence"

/** Encodes a report. Without an id, it does not change the position from which a client continues. */
const written = ({ contactId, expiresAt, name, since, state, tenantId, userId }: PresenceReport): string => {
  const times = { since: isoTime(since), expires_at: isoTime(expiresAt) }
  const data = { contact_id: contactId, user_id: userId, name, state, ...times }
  const envelope = { event_type: presenceEvent, tenant_id: tenantId, data }
  return Sse.encoder.write({ _tag: "Event", id: undefined, event: presenceEvent, data: JSON.stringify(envelope) })
}

/** Streams the reports of presence of a tenant as server-sent events, while `isGood` permits it. */
export const presenceEvents = Effect.fnUntraced(function* (
  tenantId: string,
  isGood: Effect.Effect<boolean, StoreUnavailable>
) {
  const reports = yield* (yield* Presences).watch(tenantId)
  return Stream.fromQueue(reports).pipe(
    Stream.takeWhileEffect(() => isGood),
    Stream.map(written)
  )
})
