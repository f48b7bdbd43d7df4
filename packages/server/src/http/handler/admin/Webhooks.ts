import { Api } from "@leadloom/api/Api"
import { millisOf } from "@leadloom/api/schema/Field"
import type * as Wire from "@leadloom/api/admin/Webhooks"
import { Subscriptions } from "@leadloom/core/port/repository/webhook/Subscriptions"
import {
  createSubscription,
  deleteSubscription,
  rotateSecret,
  type SubscriptionChange,
  updateSubscription
} from "@leadloom/core/workflow/webhook/Subscriptions"
import { listDeliveries } from "@leadloom/core/workflow/webhook/ListDeliveries"
import { succeeded } from "@leadloom/core/domain/webhook/DeliveryState"
import { recoverDeliveries } from "@leadloom/core/workflow/webhook/RecoverDeliveries"
import { redeliver } from "@leadloom/core/workflow/webhook/Redeliver"
import { sendTestEvent } from "@leadloom/core/workflow/webhook/SendTestEvent"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"
import { attemptJson, deliveryJson, webhookJson, withSecret } from "../../json/WebhookJson.ts"

/** The default number of deliveries per page. */
const defaultPageSize = 50

const changeOf = ({ max_in_flight, ...change }: typeof Wire.UpdateWebhook.Type): SubscriptionChange => ({
  ...change,
  ...(max_in_flight === undefined ? {} : { maxInFlight: max_in_flight })
})

/** Endpoints for webhook subscriptions. A secret is returned only once, when it is created. */
export const layer = HttpApiBuilder.group(Api, "webhooks", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params }) {
      const all = yield* answer((yield* Subscriptions).list(params.tenant_id))
      return { webhooks: all.map(webhookJson) }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      const { description = null, events = [], max_in_flight: maxInFlight = 1, url } = payload
      const request = { url, events, description, maxInFlight }
      return withSecret(yield* answer(createSubscription(params.tenant_id, request)))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const subscriptions = yield* Subscriptions
      return webhookJson(yield* answer(subscriptions.get(params.tenant_id, params.webhook_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return webhookJson(yield* answer(updateSubscription(params.tenant_id, params.webhook_id, changeOf(payload))))
    }),
    delete: ({ params }) => answer(deleteSubscription(params.tenant_id, params.webhook_id)),
    test: Effect.fnUntraced(function* ({ params, payload }) {
      const requested = payload?.event_type ?? null
      const { attempt, event } = yield* answer(sendTestEvent(params.tenant_id, params.webhook_id, requested))
      const what = { event_id: event.eventId, event_type: event.type }
      return { success: succeeded(attempt), ...what, attempt: attemptJson(attempt) }
    }),
    rotateSecret: Effect.fnUntraced(function* ({ params }) {
      return withSecret(yield* answer(rotateSecret(params.tenant_id, params.webhook_id)))
    }),
    deliveries: Effect.fnUntraced(function* ({ params, query }) {
      const { cursor = null, limit = defaultPageSize, status = null } = query
      const list = listDeliveries(params.tenant_id, params.webhook_id, status, { cursor, limit })
      const { items, nextCursor } = yield* answer(list)
      return { deliveries: items.map(deliveryJson), next_cursor: nextCursor }
    }),
    redeliver: Effect.fnUntraced(function* ({ params }) {
      return deliveryJson(yield* answer(redeliver(params.tenant_id, params.webhook_id, params.delivery_id)))
    }),
    recover: Effect.fnUntraced(function* ({ params, payload }) {
      const since = millisOf(payload.since)
      return { recovered: yield* answer(recoverDeliveries(params.tenant_id, params.webhook_id, since)) }
    })
  })
)
