import type { Task } from "@leadloom/client"
import { Schema } from "effect"
import { contactId, leadId, oneOf, optionalText, page } from "../Input.ts"
import { defineTool, readOnly } from "../Tool.ts"

const shorten = ({ id, ...task }: Task) => ({ task_id: id, ...task })

export const listTasks = defineTool({
  name: "list_tasks",
  title: "List tasks",
  description:
    "List tasks for people (approve a reply, call back, follow up, review) by due time. Only open tasks by default. Finish one with complete_task.",
  rights: ["read"],
  hints: readOnly,
  output: { untrusted: true, maxText: 500 },
  input: Schema.Struct({
    status: oneOf(["open", "snoozed", "done"], "Default: open"),
    type: oneOf(["reply_approval", "callback", "follow_up", "review"], "Only tasks of this type"),
    priority: oneOf(["low", "normal", "high", "urgent"], "Only tasks of this priority"),
    contact_id: Schema.optionalKey(contactId),
    lead_id: Schema.optionalKey(leadId),
    ...page(50, 20)
  }),
  run: async ({ contact_id: contactId, lead_id: leadId, limit = 20, ...filter }, { client, tenantId }) => {
    const { next_cursor, tasks } = await client.tasks.list(tenantId, { ...filter, contactId, leadId, limit })
    return { tasks: tasks.map(shorten), next_cursor }
  }
})

export const completeTask = defineTool({
  name: "complete_task",
  title: "Complete a task",
  description: "Set a task to done, with its outcome in words. Repeating the call changes nothing.",
  rights: ["messages"],
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  output: { untrusted: true, maxText: 500 },
  input: Schema.Struct({
    task_id: Schema.String.annotate({ description: "Task id (`task_…`), from list_tasks" }),
    disposition: optionalText("The outcome of the task, at most 500 characters")
  }),
  run: async ({ task_id, ...outcome }, { client, tenantId }) =>
    shorten(await client.tasks.update(tenantId, task_id, { ...outcome, status: "done" }))
})
