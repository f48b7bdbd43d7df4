import { Data } from "effect"
import type { SubscriptionId } from "../Id.ts"
import type { TenantId } from "../TenantId.ts"
import type { EventType } from "./Event.ts"

/** Whether a subscription is served. */
export const subscriptionStatuses = ["active", "paused", "disabled"] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** Why a subscription is not active: too many failures, a receiver that answered 410, or somebody's decision. */
export type InactiveReason = "failures" | "gone" | "person"

/** Subscriptions that a tenant may have. */
export const maxSubscriptionsPerTenant = 50

/** Requests of one subscription on their way at once, at most. */
export const maxInFlightDeliveries = 16

/** How long the former secret signs beside the new one. */
export const rotationGraceHours = 24

/** Of a time: it does not come. */
export const never: number = Number.MAX_SAFE_INTEGER

/** A receiver of outbound events, and how far it has come. Times are epoch milliseconds. */
export interface Subscription {
  readonly tenantId: TenantId
  readonly webhookId: SubscriptionId
  readonly url: string
  readonly description: string | null
  /** What it is told of; empty: everything. */
  readonly eventTypes: ReadonlyArray<EventType>
  /** 1: strictly in order. */
  readonly maxInFlight: number
  readonly status: SubscriptionStatus
  /** Null while it is active. */
  readonly inactiveReason: InactiveReason | null
  /** As it is kept: sealed, or `whsec_…` where nothing was written since secrets are (`SubscriptionSecret.ts`). */
  readonly secret: string
  readonly formerSecret: string | null
  readonly formerSecretUntil: number | null
  readonly consecutiveFailures: number
  /** Its receiver failed or was slow the last time: it gets a bounded part of the workers. */
  readonly ailing: boolean
  /** Events up to this number are delivered or have a row of their own. */
  readonly position: number
  /** When the first of its open deliveries is due; `never`: it has none. */
  readonly retryAt: number
  /** Nothing goes out before; `never`: it is not served. */
  readonly nextAt: number
  readonly lastSuccessAt: number | null
  readonly lastFailureAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Whether a subscription is told of events of a type. */
export const matches = ({ eventTypes }: Pick<Subscription, "eventTypes">, type: EventType): boolean =>
  eventTypes.length === 0 || eventTypes.includes(type)

/** A subscription whose secret is shown, this once. */
export interface WithSecret {
  readonly subscription: Subscription
  /** `whsec_…` */
  readonly shown: string
}

/** The tenant has no such subscription. */
export class SubscriptionNotFound extends Data.TaggedError("SubscriptionNotFound")<{ readonly webhookId: string }> {}

/** The tenant has as many subscriptions as it may. */
export class SubscriptionLimitReached extends Data.TaggedError("SubscriptionLimitReached")<{
  readonly limit: number
}> {}

/** A subscription cannot be saved as it was asked for; `issues` say which fields and why. */
export class SubscriptionInvalid extends Data.TaggedError("SubscriptionInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}
