import type { Webhook } from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import { longTime } from "../design/Time.ts"
import { settingsText } from "../text/Settings.ts"
import type { Action, Listing } from "./Listing.ts"

const { webhooks: shown } = settingsText

const create: Action = {
  label: shown.create,
  operation: "webhooks.create",
  fields: [
    { name: "url", label: shown.url },
    { name: "events", label: shown.events, isRequired: false },
    { name: "description", label: shown.description, isRequired: false }
  ],
  send: async ({ client, tenantId }, { description = "", events = "", url = "" }) => {
    const created = await client.webhooks.create(tenantId, {
      url,
      events: events.split(/[\s,]+/u).filter((type) => type !== ""),
      ...(description === "" ? {} : { description })
    })
    return created.secret
  }
}

const test = ({ id }: Webhook): Action => ({
  label: shown.test,
  message: shown.testNote,
  operation: "webhooks.test",
  send: async ({ client, tenantId }) => {
    const { success } = await client.webhooks.test(tenantId, id)
    if (!success) throw new Error(shown.testFailed)
    return null
  }
})

const changeStatus = ({ id, status }: Webhook): Action => ({
  label: status === "active" ? shown.pause : shown.resume,
  message: status === "active" ? shown.pauseNote : shown.resumeNote,
  operation: "webhooks.update",
  send: async ({ client, tenantId }) => {
    await client.webhooks.update(tenantId, id, { status: status === "active" ? "paused" : "active" })
    return null
  }
})

const rotate = ({ id }: Webhook): Action => ({
  label: shown.rotate,
  message: shown.rotateNote,
  operation: "webhooks.rotateSecret",
  send: async ({ client, tenantId }) => (await client.webhooks.rotateSecret(tenantId, id)).secret
})

const remove = ({ id, url }: Webhook): Action => ({
  label: shown.remove,
  message: shown.removeNote(url),
  operation: "webhooks.delete",
  send: async ({ client, tenantId }) => {
    await client.webhooks.delete(tenantId, id)
    return null
  }
})

/** The subscriptions of the tenant to outbound events. */
export const webhookListing: Listing<Webhook> = {
  title: shown.title,
  empty: shown.empty,
  operation: "webhooks.list",
  read: async ({ client, tenantId }, _, signal) => {
    const { webhooks: rows } = await client.webhooks.list(tenantId, { signal })
    return { rows, next: null }
  },
  keyOf: ({ id }) => id,
  nameOf: ({ url }) => url,
  columns: () => [
    { header: shown.url, cell: ({ url }) => url },
    { header: shown.state, cell: ({ status }) => shown.states[status] },
    {
      header: shown.lastSuccess,
      cell: ({ last_success_at: time }) => (time === null ? shown.never : longTime(time)),
      isDetail: true
    },
    {
      header: shown.deliveries,
      cell: ({ id, url }) => (
        <Link to="/settings/webhooks/$webhookId" params={{ webhookId: id }} aria-label={shown.deliveriesOf(url)}>
          {shown.show}
        </Link>
      )
    }
  ],
  general: [create],
  actions: (webhook) => [test(webhook), changeStatus(webhook), rotate(webhook), remove(webhook)]
}
