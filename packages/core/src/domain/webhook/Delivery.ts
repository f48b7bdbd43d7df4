import { Data, Schema } from "effect"
import { type DeliveryId, type EventId, SubscriptionId } from "../Id.ts"
import type { EventType } from "./Event.ts"
import { Time, unchecked } from "../Field.ts"

/** One request to a receiver and its result. */
export interface Attempt {
  /** The start in epoch milliseconds. */
  readonly at: number
  /** The status of the response. Null without a response. */
  readonly status: number | null
  readonly millis: number
  /** The error message for users. Null for a success. */
  readonly error: string | null
  /** The start of the response body of a failed attempt. Null when no body is stored. */
  readonly response: string | null
  /** The `Retry-After` of the response in milliseconds, or null. This value is not stored. */
  readonly retryAfterMillis: number | null
}

/** The stored part of an attempt. */
export type StoredAttempt = Omit<Attempt, "retryAfterMillis">

/** The maximum number of stored attempts of one delivery. Older attempts are dropped. */
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
    /** The stored attempts, oldest first. */
    attempts: Schema.Array(unchecked<StoredAttempt>()),
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
export interface ListedDelivery {
  readonly deliveryId: DeliveryId
  readonly sequence: number
  readonly eventId: EventId
  readonly eventType: EventType
  readonly status: DeliveryStatus
  /** The time of the next automatic attempt. Null when none follows. */
  readonly nextAttemptAt: number | null
  readonly attempts: ReadonlyArray<StoredAttempt>
}

/** The subscription has no such delivery, or its event was deleted. */
export class DeliveryNotFound extends Data.TaggedError("DeliveryNotFound")<{ readonly deliveryId: string }> {}

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
