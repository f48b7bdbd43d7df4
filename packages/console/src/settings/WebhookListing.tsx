import type { EventType, Webhook } from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import { longTime } from "../design/Time.ts"
import { settingsText } from "../text/Settings.ts"
import type { Action, Listing } from "./Listing.ts"
import { linesOf } from "./Values.ts"

const { webhooks: shown } = settingsText

/** The types of events by themselves, because programs know them by these names. */
const eventTypes: Readonly<Record<EventType, string>> = {
  "lead.received": "lead.received",
  "lead.updated": "lead.updated",
  "lead.scored": "lead.scored",
  "lead.tier_changed": "lead.tier_changed",
  "lead.state_changed": "lead.state_changed",
  "lead.stage_changed": "lead.stage_changed",
  "lead.assigned": "lead.assigned",
  "lead.contact_replied": "lead.contact_replied",
  "contact.created": "contact.created",
  "contact.updated": "contact.updated",
  "conversation.updated": "conversation.updated",
  "user.created": "user.created",
  "user.updated": "user.updated",
  "user.deactivated": "user.deactivated",
  "team.created": "team.created",
  "team.updated": "team.updated",
  "team.deleted": "team.deleted",
  "thread.corrected": "thread.corrected",
  "note.created": "note.created",
  "note.updated": "note.updated",
  "note.deleted": "note.deleted",
  "draft.created": "draft.created",
  "draft.updated": "draft.updated",
  "draft.approved": "draft.approved",
  "draft.dismissed": "draft.dismissed",
  "message.sent": "message.sent",
  "message.delivered": "message.delivered",
  "message.bounced": "message.bounced",
  "message.failed": "message.failed",
  "scheduled_message.created": "scheduled_message.created",
  "scheduled_message.updated": "scheduled_message.updated",
  "scheduled_message.canceled": "scheduled_message.canceled",
  "scheduled_message.sent": "scheduled_message.sent",
  "scheduled_message.failed": "scheduled_message.failed",
  "sequence.enrolled": "sequence.enrolled",
  "sequence.step_sent": "sequence.step_sent",
  "sequence.completed": "sequence.completed",
  "sequence.stopped": "sequence.stopped",
  "sequence.held_out": "sequence.held_out",
  "sequence.enrolment_paused": "sequence.enrolment_paused",
  "sequence.enrolment_resumed": "sequence.enrolment_resumed",
  "sequence.step_skipped": "sequence.step_skipped",
  "sequence.paused": "sequence.paused",
  "sequence.resumed": "sequence.resumed",
  "link.opened": "link.opened",
  "task.created": "task.created",
  "task.updated": "task.updated",
  "task.completed": "task.completed",
  "task.reminder": "task.reminder",
  "rule.notified": "rule.notified",
  "grant.expired": "grant.expired",
  "email.connection_failed": "email.connection_failed",
  "crm.signed_out": "crm.signed_out"
}

const create: Action = {
  label: shown.create,
  operation: "webhooks.create",
  fields: [
    { name: "url", label: shown.url },
    { name: "events", label: shown.events, options: eventTypes, isMultiple: true },
    { name: "description", label: shown.description, isRequired: false }
  ],
  send: async ({ client, tenantId }, { description = "", events = "", url = "" }) => {
    const created = await client.webhooks.create(tenantId, {
      url,
      events: linesOf(events),
      ...(description === "" ? {} : { description })
    })
    return created.secret
  }
}

const test = ({ id }: Webhook): Action => ({
  label: shown.test,
  message: shown.testNote,
  operation: "webhooks.test",
  failed: shown.notTested,
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
