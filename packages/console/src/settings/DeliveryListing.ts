import type { WebhookDelivery } from "@leadloom/client"
import { longTime } from "../design/Time.ts"
import { settingsText } from "../text/Settings.ts"
import type { Action, Listing } from "./Listing.ts"

const { deliveries: shown } = settingsText

const answerOf = ({ attempts }: WebhookDelivery): string => {
  const last = attempts.at(-1)
  return last === undefined ? shown.noAttempt : String(last.status_code ?? last.error ?? shown.noAnswer)
}

/** The deliveries of a subscription. A delivered event can be sent again too. */
export const deliveryListing = (webhookId: string): Listing<WebhookDelivery> => {
  const redeliver = ({ id }: WebhookDelivery): Action => ({
    label: shown.redeliver,
    message: shown.redeliverNote,
    operation: "webhooks.redeliver",
    send: async ({ client, tenantId }) => {
      await client.webhooks.redeliver(tenantId, webhookId, id)
      return null
    }
  })
  return {
    title: shown.title,
    empty: shown.empty,
    operation: "webhooks.deliveries",
    read: async ({ client, tenantId }, cursor, signal) => {
      const answer = await client.webhooks.deliveries(tenantId, webhookId, { cursor, limit: 50, signal })
      return { rows: answer.deliveries, next: answer.next_cursor }
    },
    keyOf: ({ id }) => id,
    nameOf: ({ event_type: type, sequence }) => `${type} ${sequence}`,
    columns: () => [
      { header: shown.event, cell: ({ event_type: type }) => type },
      { header: shown.sequence, cell: ({ sequence }) => sequence, isNumeric: true, isDetail: true },
      { header: shown.state, cell: ({ status }) => shown.states[status] },
      { header: shown.answer, cell: answerOf },
      {
        header: shown.next,
        cell: ({ next_attempt_at: time }) => (time === null ? shown.none : longTime(time)),
        isDetail: true
      }
    ],
    actions: (delivery) => [redeliver(delivery)]
  }
}
