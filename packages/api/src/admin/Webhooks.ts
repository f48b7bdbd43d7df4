import { deliveryStatuses, ListedDelivery, StoredAttempt } from "@leadloom/core/internal/domain/webhook/Delivery"
import {
  maxInFlightDeliveries,
  never,
  subscriptionStatuses,
  Subscription
} from "@leadloom/core/internal/domain/webhook/Subscription"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { EventName } from "../schema/EventData.ts"
import { IdempotencyKey, isoTime, TenantPath, Time, Timestamp, cursor, nextCursor, pageSize } from "../schema/Field.ts"
import { computed, wire } from "../schema/Wire.ts"

const Status = Schema.Literals(subscriptionStatuses)
const DeliveryStatus = Schema.Literals(deliveryStatuses)

/** Formats the time of a planned attempt; null: none is planned. */
const planned = (time: number): string | null => (time <= 0 || time >= never ? null : isoTime(time))

const webhook = wire(Subscription, "Webhook", {
  description: "A subscription to outbound events, without its secret",
  id: "webhookId",
  pick: [
    "webhookId",
    "url",
    "description",
    "eventTypes",
    "maxInFlight",
    "status",
    "inactiveReason",
    "consecutiveFailures",
    "position",
    "lastSuccessAt",
    "lastFailureAt",
    "createdAt",
    "updatedAt"
  ],
  names: { eventTypes: "events", position: "delivered_through" },
  schemas: {
    eventTypes: Schema.Array(EventName).annotate({
      description: "The event types of this subscription; empty: all types"
    })
  },
  computed: {
    next_attempt_at: computed(
      Schema.NullOr(Timestamp).annotate({
        description: "The next attempt after a failure; null: no attempt is scheduled"
      }),
      ({ nextAt, retryAt }) => planned(nextAt > 0 ? nextAt : retryAt)
    )
  }
})

export const Webhook = webhook.schema

/** Encodes a subscription without its secrets. */
export const webhookToJson = webhook.toJson

export const WebhookWithSecret = Schema.Struct({
  ...webhook.schema.fields,
  secret: Schema.String.annotate({ description: "The secret that signs deliveries. Shown only once." })
}).annotate({
  identifier: "WebhookWithSecret",
  description: "A subscription with its secret, which is shown only once"
})

const Url = Schema.String.annotate({ description: "An https URL with a public address" })
// Event names are plain strings here. The domain validates them, because its error lists the permitted names.
const Names = Schema.Array(Schema.String)
  .check(Schema.isMaxLength(100))
  .annotate({ description: "The event types to receive, at most 100 names. An empty list selects all types" })
const settings = {
  events: Schema.optionalKey(Names),
  description: Schema.optionalKey(Subscription.fields.description),
  max_in_flight: Schema.optionalKey(Schema.Int).annotate({ description: `1 to ${maxInFlightDeliveries}` })
}

export const CreateWebhook = Schema.Struct({ url: Url, ...settings }).annotate({
  identifier: "CreateWebhook",
  description: "A new subscription"
})

export const UpdateWebhook = Schema.Struct({
  url: Schema.optionalKey(Url),
  ...settings,
  status: Schema.optionalKey(Status).annotate({
    description:
      "active: resumes the subscription. A paused subscription then receives the events of the pause; a disabled subscription receives only new events"
  })
}).annotate({ identifier: "UpdateWebhook", description: "The fields to change. Absent fields stay" })

export const { schema: Attempt, toJson: attemptToJson } = wire(StoredAttempt, "WebhookAttempt", {
  description: "One HTTP request to the receiver and its result",
  omit: ["millis"],
  names: { status: "status_code", response: "response_body" },
  computed: {
    duration_ms: computed(
      Schema.Int.annotate({ description: "The duration of the request in milliseconds" }),
      ({ millis }) => Math.round(millis)
    )
  }
})

export const { schema: Delivery, toJson: deliveryToJson } = wire(ListedDelivery, "WebhookDelivery", {
  description: "The delivery of one event to one subscription",
  id: "deliveryId",
  omit: ["attempts"],
  schemas: { eventType: EventName },
  computed: {
    attempts: computed(
      Schema.Array(Attempt).annotate({ description: "The newest 20 attempts, oldest first" }),
      ({ attempts }) => attempts.map(attemptToJson)
    )
  }
})

export const DeliveryPage = Schema.Struct({
  deliveries: Schema.Array(Delivery).annotate({ description: "The deliveries, newest event first" }),
  next_cursor: nextCursor
}).annotate({ identifier: "WebhookDeliveryPage", description: "A page of deliveries" })

export const TestWebhook = Schema.Struct({
  event_type: Schema.optionalKey(Schema.String).annotate({
    description:
      "An event type; the test event has example data. Default: the first type of the subscription, or `contact.created`"
  })
}).annotate({
  identifier: "TestWebhook",
  description: "The event to send"
})

export const WebhookTested = Schema.Struct({
  success: Schema.Boolean.annotate({ description: "Whether the receiver answered with a 2xx status" }),
  event_id: Schema.String.annotate({ description: "The id of the test event" }),
  event_type: EventName,
  attempt: Attempt
}).annotate({ identifier: "WebhookTested", description: "The result of a test" })

const WebhookPath = {
  ...TenantPath,
  webhook_id: Schema.String.annotate({ description: "Id of the subscription (`whk_…`)" })
}
const one = "/tenants/:tenant_id/webhooks/:webhook_id" as const

export const WebhooksGroup = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/webhooks", {
      params: TenantPath,
      success: Schema.Struct({
        webhooks: Schema.Array(Webhook).annotate({ description: "The subscriptions, oldest first" })
      }).annotate({
        identifier: "WebhookList",
        description: "The subscriptions of the tenant"
      }),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "List webhook subscriptions")
      .annotate(OpenApi.Description, "The secrets are never shown again.")
      .annotate(Gate, gate("webhooks.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/webhooks", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateWebhook,
      success: WebhookWithSecret.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a webhook subscription; at most 50 per tenant")
      .annotate(
        OpenApi.Description,
        "The URL must use https and resolve to a public address. The response is the only one that contains the secret."
      )
      .annotate(Gate, gate("webhooks.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", one, { params: WebhookPath, success: Webhook, error: NotFound })
      .annotate(OpenApi.Summary, "Read a subscription")
      .annotate(OpenApi.Description, "Shows status, failures and the position in the event feed.")
      .annotate(Gate, gate("webhooks.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", one, {
      params: WebhookPath,
      payload: UpdateWebhook,
      success: Webhook,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Change, pause or reactivate a subscription")
      .annotate(OpenApi.Description, "Absent fields stay.")
      .annotate(Gate, gate("webhooks.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("delete", one, {
      params: WebhookPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Delete a subscription and the list of its deliveries")
      .annotate(OpenApi.Description, "Open deliveries are dropped.")
      .annotate(Gate, gate("webhooks.delete", { limiter: "admin" }))
  )
  .add(
    HttpApiEndpoint.post("test", `${one}/test`, {
      params: WebhookPath,
      headers: IdempotencyKey,
      payload: [TestWebhook, Schema.Null],
      success: WebhookTested,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Send a signed test event; a failure does not pause the subscription")
      .annotate(
        OpenApi.Description,
        "Sends example data of one event type immediately and returns the response of the receiver."
      )
      .annotate(Gate, gate("webhooks.test", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.post("rotateSecret", `${one}/rotate-secret`, {
      params: WebhookPath,
      headers: IdempotencyKey,
      success: WebhookWithSecret,
      error: [NotFound, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Replace the secret; for another 24 hours, deliveries are also signed with the old secret"
      )
      .annotate(OpenApi.Description, "The response is the only one that contains the new secret.")
      .annotate(Gate, gate("webhooks.rotateSecret", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("deliveries", `${one}/deliveries`, {
      params: WebhookPath,
      query: {
        status: Schema.optionalKey(DeliveryStatus).annotate({ description: "Only deliveries with this status" }),
        limit: pageSize(100, 50),
        cursor
      },
      success: DeliveryPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List deliveries with their attempts, newest event first")
      .annotate(OpenApi.Description, "For the search for failures: each attempt has its status, error and duration.")
      .annotate(Gate, gate("webhooks.deliveries", { limiter: "admin" })),
    HttpApiEndpoint.post("redeliver", `${one}/deliveries/:delivery_id/redeliver`, {
      params: { ...WebhookPath, delivery_id: Schema.String.annotate({ description: "Delivery id (`dlv_…`)" }) },
      headers: IdempotencyKey,
      success: Delivery,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Deliver an event again immediately")
      .annotate(
        OpenApi.Description,
        "The attempt happens immediately, also for an event that was delivered before. It needs a delivery in the list."
      )
      .annotate(Gate, gate("webhooks.redeliver", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.post("recover", `${one}/recover`, {
      params: WebhookPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        since: Time.annotate({ description: "The time of the oldest event to deliver; at most 14 days ago" })
      }).annotate({ identifier: "RecoverWebhook", description: "The period of the failed deliveries to retry" }),
      success: Schema.Struct({
        recovered: Schema.Int.annotate({ description: "The number of deliveries that are attempted again" })
      }).annotate({ identifier: "WebhookRecovered", description: "The result of a recovery" }),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Retry all failed deliveries of events since a given time")
      .annotate(OpenApi.Description, "Use it after an outage of the receiver.")
      .annotate(Gate, gate("webhooks.recover", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhooks",
      description: "Subscriptions to outbound events. The delivery bodies are listed under `webhooks` in this document."
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
