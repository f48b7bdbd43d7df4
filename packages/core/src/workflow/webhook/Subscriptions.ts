import { Clock, Effect } from "effect"
import { EgressRefused } from "../../domain/webhook/EgressPolicy.ts"
import { checkUrl } from "../../domain/webhook/EgressUrl.ts"
import { type EventType, eventTypes } from "../../domain/webhook/Event.ts"
import {
  maxInFlightDeliveries,
  never,
  rotationGraceHours,
  type Subscription,
  SubscriptionInvalid,
  SubscriptionLimitReached,
  SubscriptionNotFound,
  maxSubscriptionsPerTenant,
  type SubscriptionStatus,
  type WithSecret
} from "../../domain/webhook/Subscription.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Egress } from "../../port/system/Egress.ts"
import { Ids, Randomness } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { applyDeliveryEvents } from "./RecordAttempts.ts"
import { mintSigningSecret } from "./SignWebhook.ts"
import { resealSecret, resealSecrets, sealSecret } from "./SubscriptionSecret.ts"
import { withSpan } from "../WithSpan.ts"

/** The settings of a new subscription. */
export interface SubscriptionRequest {
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly description: string | null
  readonly maxInFlight: number
}

/** The maximum length of a description, in characters. */
export const descriptionMaxLength = 500

const isEventType = (name: string): name is EventType => eventTypes.some((type) => type === name)

const issuesOf = ({ description, events, maxInFlight, url }: SubscriptionRequest, refused: EgressRefused | null) => [
  ...(refused === null
    ? []
    : [{ path: "url", message: url === "" ? "The URL is missing. Send the `url` of the receiver." : refused.reason }]),
  ...events
    .map((name, index) => ({ name, path: `events.${index}` }))
    .filter(({ name }) => !isEventType(name))
    .map(({ name, path }) => ({
      path,
      message: `Unknown event type ${JSON.stringify(name.slice(0, 100))}. Use one of: ${eventTypes.join(", ")}.`
    })),
  ...(description !== null && description.length > descriptionMaxLength
    ? [{ path: "description", message: `Expected at most ${descriptionMaxLength} characters.` }]
    : []),
  ...(Number.isInteger(maxInFlight) && maxInFlight >= 1 && maxInFlight <= maxInFlightDeliveries
    ? []
    : [{ path: "max_in_flight", message: `Expected a whole number from 1 to ${maxInFlightDeliveries}.` }])
]

/** Validates the settings that a person may change. Returns their stored form. */
export const checkRequest = Effect.fnUntraced(function* (request: SubscriptionRequest) {
  const { policy } = yield* Egress
  const url = checkUrl(request.url, policy)
  const issues = issuesOf(request, url instanceof EgressRefused ? url : null)
  if (issues.length > 0 || url instanceof EgressRefused) return yield* new SubscriptionInvalid({ issues })
  const requestedEventTypes = [...new Set(request.events.filter(isEventType))]
  const { description, maxInFlight } = request
  return { url: url.href, eventTypes: requestedEventTypes, description, maxInFlight }
})

/** Returns the fields of a subscription that the audit trail records. */
export const auditedSubscription = ({ eventTypes, maxInFlight, status, url, webhookId }: Subscription) => ({
  webhook_id: webhookId,
  url,
  events: eventTypes,
  max_in_flight: maxInFlight,
  status
})

/**
 * Creates a subscription, which receives only future events. Fails with `SubscriptionLimitReached` when the tenant has
 * `maxSubscriptionsPerTenant` subscriptions. Only the response to this request shows the secret.
 */
export const createSubscription = Effect.fnUntraced(function* (tenantId: string, request: SubscriptionRequest) {
  yield* (yield* Tenants).get(tenantId)
  const parts = yield* checkRequest(request)
  const now = yield* Clock.currentTimeMillis
  const webhookId = yield* (yield* Ids).next("whk")
  const shown = mintSigningSecret((yield* Randomness).bytes)
  const fresh: Subscription = {
    ...parts,
    tenantId,
    webhookId,
    status: "active",
    inactiveReason: null,
    secret: yield* sealSecret({ tenantId, webhookId }, shown),
    formerSecret: null,
    formerSecretUntil: null,
    consecutiveFailures: 0,
    ailing: false,
    position: 0,
    retryAt: never,
    nextAt: 0,
    lastSuccessAt: null,
    lastFailureAt: null,
    createdAt: now,
    updatedAt: now
  }
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const subscriptions = yield* Subscriptions
      const all = yield* subscriptions.list(tenantId)
      if (all.length >= maxSubscriptionsPerTenant) {
        return yield* new SubscriptionLimitReached({ limit: maxSubscriptionsPerTenant })
      }
      const { last } = yield* (yield* Events).range(tenantId)
      const subscription = { ...fresh, position: last }
      yield* subscriptions.insert(subscription)
      yield* recordAuditChange({ before: null, after: auditedSubscription(subscription) })
      const created: WithSecret = { subscription, shown }
      return created
    })
  )
}, withSpan("createSubscription"))

/** The changed settings. An absent field stays unchanged. */
export interface SubscriptionChange extends Partial<SubscriptionRequest> {
  readonly status?: SubscriptionStatus
}

/** Sets the status of a subscription as a person requests. `transition` changes the open deliveries accordingly. */
const setStatus = Effect.fnUntraced(function* (subscription: Subscription, status: SubscriptionStatus) {
  if (status !== "active") return yield* applyDeliveryEvents(subscription, [{ _tag: "Stopped", status }])
  const { last } = yield* (yield* Events).range(subscription.tenantId)
  return yield* applyDeliveryEvents(subscription, [{ _tag: "Activated", last }])
})

/**
 * Updates a subscription. A paused subscription that becomes active receives the missed events in order. A disabled one
 * receives only new events.
 */
export const updateSubscription = Effect.fnUntraced(function* (
  tenantId: string,
  webhookId: string,
  { status, ...change }: SubscriptionChange
) {
  const now = yield* Clock.currentTimeMillis
  const subscriptions = yield* Subscriptions
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* subscriptions.get(tenantId, webhookId)
      const { description, eventTypes, maxInFlight, url } = before
      const parts = yield* checkRequest({ description, events: eventTypes, maxInFlight, url, ...change })
      const changed = { ...(yield* resealSecrets(before)), ...parts, updatedAt: now }
      if (status === undefined) yield* subscriptions.update(changed)
      const after = status === undefined ? changed : yield* setStatus(changed, status)
      yield* recordAuditChange({ before: auditedSubscription(before), after: auditedSubscription(after) })
      return after
    })
  )
}, withSpan("updateSubscription"))

/**
 * Replaces the secret of a subscription. Only the response to this request shows the new secret. For
 * `rotationGraceHours` hours, deliveries also carry a signature with the former secret.
 */
export const rotateSecret = Effect.fnUntraced(function* (tenantId: string, webhookId: string) {
  const now = yield* Clock.currentTimeMillis
  const shown = mintSigningSecret((yield* Randomness).bytes)
  const subscriptions = yield* Subscriptions
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* subscriptions.get(tenantId, webhookId)
      const after = {
        ...before,
        secret: yield* sealSecret(before, shown),
        formerSecret: yield* resealSecret(before, before.secret),
        formerSecretUntil: now + rotationGraceHours * 3_600_000,
        updatedAt: now
      }
      yield* subscriptions.update(after)
      const rotated: WithSecret = { subscription: after, shown }
      return rotated
    })
  )
}, withSpan("rotateSecret"))

/** Deletes a subscription and the records of its deliveries. Requests that are already running still complete. */
export const deleteSubscription = Effect.fnUntraced(function* (tenantId: string, webhookId: string) {
  const subscriptions = yield* Subscriptions
  const unit = Effect.gen(function* () {
    const before = yield* subscriptions.get(tenantId, webhookId)
    if (!(yield* subscriptions.remove(tenantId, webhookId))) return yield* new SubscriptionNotFound({ webhookId })
    yield* recordAuditChange({ before: auditedSubscription(before), after: null })
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("deleteSubscription"))
