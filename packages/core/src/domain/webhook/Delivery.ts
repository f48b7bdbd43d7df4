import { Data } from "effect"
import type { DeliveryId, EventId, SubscriptionId } from "../Id.ts"
import type { TenantId } from "../TenantId.ts"
import type { EventType } from "./Event.ts"

/** One request to a receiver and what came of it. */
export interface Attempt {
  /** When it began, epoch milliseconds. */
  readonly at: number
  /** Of the response; null: there was none. */
  readonly status: number | null
  readonly millis: number
  /** Why it failed, for people; null: it succeeded. */
  readonly error: string | null
  /** The beginning of the response's body, of failures alone; null: none is kept. */
  readonly response: string | null
  /** What the response asked for by `Retry-After`, milliseconds; null: nothing. Not kept. */
  readonly retryAfterMillis: number | null
}

/** What is kept of an attempt. */
export type StoredAttempt = Omit<Attempt, "retryAfterMillis">

/** Attempts kept of one delivery: the newest. */
export const maxStoredAttempts = 20

/** How much of a response is kept, in bytes. */
export const maxStoredResponseBytes = 4_096

/** Where a delivery stands. */
export const deliveryStatuses = ["pending", "delivered", "failed"] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** The delivery of one event to one subscription that did not succeed at the first attempt. */
export interface DeliveryRow {
  readonly tenantId: TenantId
  readonly webhookId: SubscriptionId
  readonly sequence: number
  readonly status: DeliveryStatus
  /** When it is tried again, while it is pending. */
  readonly dueAt: number
  /** Attempts of the schedule that it is at; by hand or while paused do not count. */
  readonly tries: number
  /** Oldest first. */
  readonly attempts: ReadonlyArray<StoredAttempt>
  readonly updatedAt: number
}

/** A first attempt that succeeded. */
export interface LogEntry {
  readonly sequence: number
  readonly at: number
  readonly status: number
  readonly millis: number
}

/** A delivery as a list shows it. */
export interface ListedDelivery {
  readonly deliveryId: DeliveryId
  readonly sequence: number
  readonly eventId: EventId
  readonly eventType: EventType
  readonly status: DeliveryStatus
  /** Null: not by itself. */
  readonly nextAttemptAt: number | null
  readonly attempts: ReadonlyArray<StoredAttempt>
}

/** The subscription has no such delivery, or its event is kept no longer. */
export class DeliveryNotFound extends Data.TaggedError("DeliveryNotFound")<{ readonly deliveryId: string }> {}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** The letters of a number, as many as 40 bits have. */
const letters = (number: number): string => {
  let text = ""
  for (let rest = number; text.length < 8; rest = Math.floor(rest / 32)) text = (alphabet[rest % 32] ?? "") + text
  return text
}

/**
 * FROZEN: receivers recognise repetitions by it. The id of the delivery of an event to a subscription, made of the two, so
 * that every attempt of every server has the same: the ten characters of the event's id that are its time, the last eight
 * of the subscription's, which are random, and the event's number.
 */
export const deliveryIdOf = (webhookId: SubscriptionId, eventId: EventId, sequence: number): DeliveryId =>
  `dlv_${eventId.slice(4, 14)}${webhookId.slice(-8)}${letters(sequence)}`

/** The number of the event that a delivery is of, as its id says: its last eight characters are 40 bits. */
export const sequenceOfDelivery = (deliveryId: string): number | null => {
  if (!/^dlv_[0-7][0-9a-hjkmnp-tv-z]{25}$/u.test(deliveryId)) return null
  return Array.from(deliveryId.slice(-8)).reduce((sum, letter) => sum * 32 + alphabet.indexOf(letter), 0)
}
