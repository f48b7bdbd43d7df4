import { isoTime } from "@leadloom/api/schema/Field"
import * as Wire from "@leadloom/api/admin/Webhooks"
import type { StoredAttempt, ListedDelivery } from "@leadloom/core/domain/webhook/Delivery"
import { never, type Subscription, type WithSecret } from "@leadloom/core/domain/webhook/Subscription"

const timeOrNull = (millis: number | null): string | null =>
  millis === null || millis <= 0 || millis >= never ? null : isoTime(millis)

/**
 * Returns the time of the next attempt after a failure. Returns null if there was no failure, or if no further attempt
 * is planned.
 */
const nextAttempt = ({ nextAt, retryAt }: Subscription): string | null => timeOrNull(nextAt > 0 ? nextAt : retryAt)

/** Encodes a subscription without its secret. */
export const webhookJson = (subscription: Subscription): typeof Wire.Webhook.Type => ({
  ...Wire.subscriptionToJson(subscription),
  next_attempt_at: nextAttempt(subscription)
})

/** Encodes a subscription with its secret, for the response to its creation. */
export const withSecret = ({ shown, subscription }: WithSecret): typeof Wire.WebhookWithSecret.Type => ({
  ...webhookJson(subscription),
  secret: shown
})

/** Encodes one attempt. */
export const attemptJson = ({ at, error, millis, response, status }: StoredAttempt) => ({
  at: isoTime(at),
  status_code: status,
  duration_ms: Math.round(millis),
  error,
  response_body: response
})

/** Encodes a delivery with its attempts. */
export const deliveryJson = (delivery: ListedDelivery): typeof Wire.Delivery.Type => ({
  id: delivery.deliveryId,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  sequence: delivery.sequence,
  status: delivery.status,
  next_attempt_at: timeOrNull(delivery.nextAttemptAt),
  attempts: delivery.attempts.map(attemptJson)
})
