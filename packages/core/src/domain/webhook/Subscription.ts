/**
 * Outbound events: their types and envelopes, subscriptions, delivery schedules and the rules for receiver URLs.
 * Sending requests belongs to `workflow/webhook` and `port/system/Egress.ts`.
 * Tests: `packages/core/test/domain/webhook`, `packages/testkit/src/suite/webhook`.
 */
import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { SubscriptionId } from "../Id.ts"
import { type EventType, eventTypes } from "./Event.ts"
import { Time } from "../Field.ts"

export const subscriptionStatuses = ["active", "paused", "disabled"] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** The reason why a subscription is inactive: too many failures, a response 410, or a person's decision. */
export const InactiveReason = Schema.Literals(["failures", "gone", "person"])
export type InactiveReason = typeof InactiveReason.Type

/** The maximum number of subscriptions of a tenant. */
export const maxSubscriptionsPerTenant = 50

/** The maximum number of concurrent requests of one subscription. */
export const maxInFlightDeliveries = 16

/** The period after a rotation of the secret in which deliveries carry signatures with the old and the new secret. */
export const rotationGraceHours = 24

/** The time value for "never". */
export const never: number = Number.MAX_SAFE_INTEGER

/** A receiver of outbound events and the progress of its deliveries. Times are epoch milliseconds. */
export class Subscription extends Schema.Opaque<Subscription>()(
  Schema.Struct({
    tenantId: Schema.String,
    webhookId: SubscriptionId.annotate({ description: "Id of the subscription (`whk_…`)" }),
    url: Schema.String.annotate({ description: "The https URL that receives the events" }),
    description: Schema.NullOr(Schema.String).annotate({ description: "A note for people; null: none" }),
    /** The subscribed event types. An empty list means all types. */
    eventTypes: Schema.Array(Schema.Literals(eventTypes)),
    /** 1 delivers strictly in order. */
    maxInFlight: Schema.Int.annotate({
      description: "The maximum number of concurrent requests; 1: events are delivered strictly in order"
    }),
    status: Schema.Literals(subscriptionStatuses).annotate({
      description:
        "`paused`: no deliveries until it is activated again; the events of the pause are then delivered. `disabled`: events are not kept for it"
    }),
    /** Null for an active subscription. */
    inactiveReason: Schema.NullOr(InactiveReason).annotate({
      description:
        "failures: ten consecutive failures; gone: the receiver answered 410; person: a request paused the subscription"
    }),
    /** The stored form: sealed, or `whsec_…` in rows from before secrets were sealed (`SubscriptionSecret.ts`). */
    secret: Schema.String.annotate({ secret: true }),
    formerSecret: Schema.NullOr(Schema.String).annotate({ secret: true }),
    formerSecretUntil: Schema.NullOr(Time),
    consecutiveFailures: Schema.Int.annotate({
      description: "The failed attempts since the last success. Ten of them pause the subscription"
    }),
    /**
     * True when the receiver failed or was slow in the last attempt. All such subscriptions together may use only a
     * limited part of the workers.
     */
    ailing: Schema.Boolean,
    /** The sequence number up to which all events are delivered or have their own row. */
    position: Schema.Int.annotate({
      description:
        "The last sequence number that has been processed. Every event up to it was delivered or is in the list of deliveries"
    }),
    /** The due time of the subscription's first open delivery. `never` when there is none. */
    retryAt: Time,
    /** The earliest time of the next attempt. `never` when the subscription receives nothing. */
    nextAt: Time,
    lastSuccessAt: Schema.NullOr(Time).annotate({
      description: "The time of the last successful attempt (ISO 8601 in UTC); null: none yet"
    }),
    lastFailureAt: Schema.NullOr(Time).annotate({
      description: "The time of the last failed attempt (ISO 8601 in UTC); null: none yet"
    }),
    createdAt: Time.annotate({ description: "The time at which the subscription was created (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** Returns true when a subscription receives events of a type. */
export const matches = ({ eventTypes }: Pick<Subscription, "eventTypes">, type: EventType): boolean =>
  eventTypes.length === 0 || eventTypes.includes(type)

/** A subscription with its secret, which is shown only once. */
export interface WithSecret {
  readonly subscription: Subscription
  /** The secret in the form `whsec_…`. */
  readonly shown: string
}

/** The tenant has no such subscription. */
export class SubscriptionNotFound extends TaggedError("SubscriptionNotFound")<{ readonly webhookId: string }> {}

/** The tenant has the maximum number of subscriptions. */
export class SubscriptionLimitReached extends TaggedError("SubscriptionLimitReached")<{
  readonly limit: number
}> {}

/** A requested subscription is invalid. `issues` names the fields and reasons. */
export class SubscriptionInvalid extends TaggedError("SubscriptionInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}
