import { Tasks } from "@leadloom/core/port/Tasks"
import type { Task } from "@leadloom/core/task/Task"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { queries } from "./Queries.ts"
import { table } from "./Table.ts"

const tasks = table<Task>(
  "tasks",
  {
    tenantId: "tenant_id",
    taskId: "task_id",
    type: "type",
    status: "status",
    title: "title",
    contactId: "contact_id",
    leadId: "lead_id",
    signalId: "signal_id",
    dueAt: "due_at",
    createdAt: "created_at"
  },
  ["tenantId", "taskId"]
)

/** The work queue of people in SQL. */
export const layer: Layer.Layer<Tasks, never, SqlClient> = Layer.effect(
  Tasks,
  Effect.map(SqlClient, (sql) => {
    const { command, query } = queries(sql)
    const insert = command(tasks.insert)
    const ofContact = query<Task>(
      `SELECT ${tasks.columns} FROM tasks WHERE tenant_id = ? AND contact_id = ? ORDER BY created_at, task_id`
    )
    return Tasks.of({
      insert: (task) => Effect.asVoid(insert(...tasks.values(task))),
      ofContact: (tenantId, contactId) => ofContact(tenantId, contactId)
    })
  })
)
