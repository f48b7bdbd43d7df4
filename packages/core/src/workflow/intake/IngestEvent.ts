import { Clock, Effect } from "effect"
import { identitiesOf } from "../../domain/contact/Identity.ts"
import { parsePhoneMemoized } from "../../domain/address/Phone.ts"
import { acceptRequest } from "./AcceptMessage.ts"
import type { Inbound } from "./Inbound.ts"
import type { MessageRequestKey } from "../../domain/access/IdempotencyRecord.ts"
import type { EventId, MessageId } from "../../domain/Id.ts"
import type { Channel } from "../../domain/Channel.ts"
import { Ids } from "../../port/system/Ids.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"

/** A custom event as its source sent it, defaults filled in. */
export interface CustomEvent {
  readonly entity: {
    readonly id: string | null
    readonly name: string | null
    readonly email: string | null
    readonly phone: string | null
    readonly company: string | null
  }
  readonly body: string
  readonly subject: string | null
  readonly channel: Channel
  readonly direction: "inbound" | "outbound"
  /** The event's metadata, content and entity together. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Epoch milliseconds; null: now. */
  readonly timestamp: number | null
  /** The sender's own id of the message, `content.metadata.message_id`; null when it gave none. */
  readonly messageId: string | null
}

/** The id under which an event is known outside: that of its message in another dress, so a copy gets the same. */
export const eventIdOf = (messageId: MessageId): EventId => `evt_${messageId.slice("msg_".length)}`

const dedupKeys = (sourceId: string, event: CustomEvent, request: MessageRequestKey | null): ReadonlyArray<string> => {
  if (request !== null) return [`event:${encodeURIComponent(sourceId)}:key:${request.key}`]
  return event.messageId === null ? [] : [`event:${encodeURIComponent(sourceId)}:id:${event.messageId}`]
}

const toInbound = (
  tenant: Tenant,
  sourceId: string,
  event: CustomEvent,
  request: MessageRequestKey | null,
  now: number
): Inbound => {
  const { company, email, id, name, phone } = event.entity
  const claims = { email, phone, externalId: id, source: sourceId }
  const { identities, issues } = identitiesOf(claims, tenant.config.defaultCountry, parsePhoneMemoized)
  const inbound = event.direction === "inbound"
  return {
    tenant,
    channel: event.channel,
    source: sourceId,
    actor: inbound ? "contact" : "agent",
    auto: null,
    delivery: null,
    identities,
    profile: {
      name,
      email: identities.find(({ kind }) => kind === "email")?.value ?? null,
      phone: identities.find(({ kind }) => kind === "phone")?.value ?? null,
      company
    },
    body: event.body,
    quotedText: null,
    subject: event.subject,
    mail: null,
    flags: [],
    metadata: event.metadata,
    timestamp: Math.min(event.timestamp ?? now, now),
    dedupKeys: dedupKeys(sourceId, event, request),
    ...(request === null ? {} : { fingerprint: request.fingerprint }),
    pipeline: inbound ? "queue" : "none",
    detail: issues.length === 0 ? null : issues.map((issue) => `${issue.field}: ${issue.message}`).join(" ")
  }
}

/**
 * Takes a custom event in; workers run the pipeline on it later. The same event again answers with the same id. Another
 * event under the same `Idempotency-Key` fails with `IdempotencyConflict`. A key belongs to its source.
 */
export const ingestEvent = Effect.fn("ingestEvent")(function* (input: {
  readonly tenant: Tenant
  readonly sourceId: string
  readonly event: CustomEvent
  readonly requestKey: MessageRequestKey | null
}) {
  const now = yield* Clock.currentTimeMillis
  const inbound = toInbound(input.tenant, input.sourceId, input.event, input.requestKey, now)
  const accepted = yield* acceptRequest(inbound)
  // Of one that was erased there is no message to name it after.
  const eventId = accepted.messageId === null ? yield* (yield* Ids).next("evt") : eventIdOf(accepted.messageId)
  return { eventId, accepted }
})
