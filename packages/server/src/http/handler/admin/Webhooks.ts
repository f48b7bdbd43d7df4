import { Api } from "@leadloom/api/internal/Api"
import { millisOf } from "@leadloom/api/internal/schema/Field"
import * as Wire from "@leadloom/api/internal/admin/Webhooks"
import { Subscriptions } from "@leadloom/core/internal/port/repository/webhook/Subscriptions"
import {
  createSubscription,
  deleteSubscription,
  rotateSecret,
  type SubscriptionChange,
  updateSubscription
} from "@leadloom/core/internal/workflow/webhook/Subscriptions"
import { listDeliveries } from "@leadloom/core/internal/workflow/webhook/ListDeliveries"
import { succeeded } from "@leadloom/core/internal/domain/webhook/DeliveryState"
import type { WithSecret } from "@leadloom/core/internal/domain/webhook/Subscription"
import { recoverDeliveries } from "@leadloom/core/internal/workflow/webhook/RecoverDeliveries"
import { redeliver } from "@leadloom/core/internal/workflow/webhook/Redeliver"
import { sendTestEvent } from "@leadloom/core/internal/workflow/webhook/SendTestEvent"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The default number of deliveries per page. */
const defaultPageSize = 50

const changeOf = ({ max_in_flight, ...change }: typeof Wire.UpdateWebhook.Type): SubscriptionChange => ({
  ...change,
  ...(max_in_flight === undefined ? {} : { maxInFlight: max_in_flight })
})

const secretToJson = ({ shown, subscription }: WithSecret): typeof Wire.WebhookWithSecret.Type => ({
  ...Wire.webhookToJson(subscription),
  secret: shown
})

/** Endpoints for webhook subscriptions. A secret is returned only once, when it is created. */
export const layer = HttpApiBuilder.group(Api, "webhooks", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params }) {
      const all = yield* answer((yield* Subscriptions).list(params.tenant_id))
      return { webhooks: all.map(Wire.webhookToJson) }
    }),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      const { description = null, events = [], max_in_flight: maxInFlight = 1, url } = payload
      const request = { url, events, description, maxInFlight }
      return secretToJson(yield* answer(createSubscription(params.tenant_id, request)))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      const subscriptions = yield* Subscriptions
      return Wire.webhookToJson(yield* answer(subscriptions.get(params.tenant_id, params.webhook_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return Wire.webhookToJson(
        yield* answer(updateSubscription(params.tenant_id, params.webhook_id, changeOf(payload)))
      )
    }),
    delete: ({ params }) => answer(deleteSubscription(params.tenant_id, params.webhook_id)),
    test: Effect.fnUntraced(function* ({ params, payload }) {
      const requested = payload?.event_type ?? null
      const { attempt, event } = yield* answer(sendTestEvent(params.tenant_id, params.webhook_id, requested))
      const what = { event_id: event.eventId, event_type: event.type }
      return { success: succeeded(attempt), ...what, attempt: Wire.attemptToJson(attempt) }
    }),
    rotateSecret: Effect.fnUntraced(function* ({ params }) {
      return secretToJson(yield* answer(rotateSecret(params.tenant_id, params.webhook_id)))
    }),
    deliveries: Effect.fnUntraced(function* ({ params, query }) {
      const { cursor = null, limit = defaultPageSize, status = null } = query
      const list = listDeliveries(params.tenant_id, params.webhook_id, status, { cursor, limit })
      const { items, nextCursor } = yield* answer(list)
      return { deliveries: items.map(Wire.deliveryToJson), next_cursor: nextCursor }
    }),
    redeliver: Effect.fnUntraced(function* ({ params }) {
      return Wire.deliveryToJson(yield* answer(redeliver(params.tenant_id, params.webhook_id, params.delivery_id)))
    }),
    recover: Effect.fnUntraced(function* ({ params, payload }) {
      const since = millisOf(payload.since)
      return { recovered: yield* answer(recoverDeliveries(params.tenant_id, params.webhook_id, since)) }
    })
  })
)
