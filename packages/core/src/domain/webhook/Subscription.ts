/**
 * Outbound events: their types and envelopes, subscriptions, delivery schedules and the rules for receiver URLs.
 * Sending requests belongs to `workflow/webhook` and `port/system/Egress.ts`.
 * Tests: `packages/core/test/domain/webhook`, `packages/testkit/src/suite/webhook`.
 */
import { Data } from "effect"
import type { SubscriptionId } from "../Id.ts"
import type { TenantId } from "../TenantId.ts"
import type { EventType } from "./Event.ts"

/** The statuses of subscriptions. */
export const subscriptionStatuses = ["active", "paused", "disabled"] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** The reason of an inactive subscription: too many failures, a response 410, or a person's decision. */
export type InactiveReason = "failures" | "gone" | "person"

/** The maximum number of subscriptions of a tenant. */
export const maxSubscriptionsPerTenant = 50

/** The maximum number of concurrent requests of one subscription. */
export const maxInFlightDeliveries = 16

/** The hours after a rotation in which deliveries carry signatures of both secrets. */
export const rotationGraceHours = 24

/** The time of an event that never happens. */
export const never: number = Number.MAX_SAFE_INTEGER

/** A receiver of outbound events and its progress. Times are epoch milliseconds. */
export interface Subscription {
  readonly tenantId: TenantId
  readonly webhookId: SubscriptionId
  readonly url: string
  readonly description: string | null
  /** The subscribed event types. Empty subscribes to all. */
  readonly eventTypes: ReadonlyArray<EventType>
  /** 1 delivers strictly in order. */
  readonly maxInFlight: number
  readonly status: SubscriptionStatus
  /** Null for an active subscription. */
  readonly inactiveReason: InactiveReason | null
  /** The stored form: sealed, or `whsec_…` in rows from before secrets were sealed (`SubscriptionSecret.ts`). */
  readonly secret: string
  readonly formerSecret: string | null
  readonly formerSecretUntil: number | null
  readonly consecutiveFailures: number
  /**
   * True when the receiver failed or was slow in its last attempt. Ailing subscriptions share a limited part of the
   * workers.
   */
  readonly ailing: boolean
  /** All events up to this sequence number are delivered or have their own row. */
  readonly position: number
  /** The due time of its first open delivery. `never` when there is none. */
  readonly retryAt: number
  /** The earliest time of the next attempt. `never` when it receives nothing. */
  readonly nextAt: number
  readonly lastSuccessAt: number | null
  readonly lastFailureAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Returns true when a subscription includes an event type. */
export const matches = ({ eventTypes }: Pick<Subscription, "eventTypes">, type: EventType): boolean =>
  eventTypes.length === 0 || eventTypes.includes(type)

/** A subscription with its secret, which is shown only once. */
export interface WithSecret {
  readonly subscription: Subscription
  /** `whsec_…` */
  readonly shown: string
}

/** The tenant has no such subscription. */
export class SubscriptionNotFound extends Data.TaggedError("SubscriptionNotFound")<{ readonly webhookId: string }> {}

/** The tenant has the maximum number of subscriptions. */
export class SubscriptionLimitReached extends Data.TaggedError("SubscriptionLimitReached")<{
  readonly limit: number
}> {}

/** A subscription is invalid. `issues` names the fields and reasons. */
export class SubscriptionInvalid extends Data.TaggedError("SubscriptionInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}
