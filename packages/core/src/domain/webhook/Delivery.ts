import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { DeliveryId, EventId, SubscriptionId } from "../Id.ts"
import { eventTypes } from "./Event.ts"
import { Time } from "../Field.ts"

/** One request to a receiver and its result, as it is stored. */
export class StoredAttempt extends Schema.Opaque<StoredAttempt>()(
  Schema.Struct({
    /** The start of the request. */
    at: Time.annotate({ description: "The start of the request (ISO 8601 in UTC)" }),
    status: Schema.NullOr(Schema.Int).annotate({ description: "null: no response was received" }),
    millis: Schema.Finite,
    /** The message for users. */
    error: Schema.NullOr(Schema.String).annotate({ description: "null: the attempt succeeded" }),
    response: Schema.NullOr(Schema.String).annotate({
      description: "The first 4 KB of the response; stored only after a failure"
    })
  })
) {}

/** One request to a receiver and its result. */
export interface Attempt extends StoredAttempt {
  /** The `Retry-After` of the response in milliseconds, or null. It is not stored. */
  readonly retryAfterMillis: number | null
}

/** The maximum number of stored attempts of one delivery. The newest ones are kept. */
export const maxStoredAttempts = 20

/** The maximum stored length of a response in bytes. */
export const maxStoredResponseBytes = 4_096

/** The states of a delivery. */
export const deliveryStatuses = ["pending", "delivered", "failed"] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** The delivery of one event to one subscription. A row exists only if the first attempt failed. */
export class DeliveryRow extends Schema.Opaque<DeliveryRow>()(
  Schema.Struct({
    tenantId: Schema.String,
    webhookId: SubscriptionId,
    sequence: Schema.Int,
    status: Schema.Literals(deliveryStatuses),
    /** The time of the next attempt while the delivery is pending. */
    dueAt: Time,
    /**
     * The number of attempts that count towards the retry schedule. Manual attempts and attempts during a pause do not
     * count.
     */
    tries: Schema.Int,
    /** Oldest first. */
    attempts: Schema.Array(StoredAttempt),
    updatedAt: Time
  })
) {}

/** The record of a successful first attempt. */
export interface LogEntry {
  readonly sequence: number
  readonly at: number
  readonly status: number
  readonly millis: number
}

/** A delivery in a list. */
export class ListedDelivery extends Schema.Opaque<ListedDelivery>()(
  Schema.Struct({
    deliveryId: DeliveryId.annotate({ description: "Delivery id (`dlv_…`), equal to the header `X-Webhook-Delivery`" }),
    sequence: Schema.Int.annotate({
      description: "The sequence number of the event within its tenant; 0 for a test event"
    }),
    eventId: EventId.annotate({ description: "The id of the delivered event (`evt_…`)" }),
    eventType: Schema.Literals(eventTypes),
    status: Schema.Literals(deliveryStatuses).annotate({ description: "`failed`: no automatic attempt follows" }),
    /** Null when no automatic attempt follows. */
    nextAttemptAt: Schema.NullOr(Time).annotate({
      description: "The time of the next automatic attempt (ISO 8601 in UTC); null: none follows"
    }),
    attempts: Schema.Array(StoredAttempt)
  })
) {}

/** The subscription has no such delivery, or its event was deleted. */
export class DeliveryNotFound extends TaggedError("DeliveryNotFound")<{ readonly deliveryId: string }> {}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** Encodes the lowest 40 bits of a number in base 32. */
const letters = (number: number): string => {
  let text = ""
  for (let rest = number; text.length < 8; rest = Math.floor(rest / 32)) text = (alphabet[rest % 32] ?? "") + text
  return text
}

/**
 * FROZEN, because receivers recognise repetitions by this id. Derives the id of a delivery from event and subscription,
 * so all attempts on all servers have the same id. The id consists of the ten time characters of the event id, the last
 * eight (random) characters of the subscription id, and the event's sequence number.
 */
export const deliveryIdOf = (webhookId: SubscriptionId, eventId: EventId, sequence: number): DeliveryId =>
  `dlv_${eventId.slice(4, 14)}${webhookId.slice(-8)}${letters(sequence)}`

/**
 * Returns the sequence number that the id of a delivery contains. The last eight characters of the id encode its 40
 * bits. Returns null for an invalid id.
 */
export const sequenceOfDelivery = (deliveryId: string): number | null => {
  if (!/^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$/u.test(deliveryId)) return null
  return Array.from(deliveryId.slice(-8)).reduce((sum, letter) => sum * 32 + alphabet.indexOf(letter), 0)
}
