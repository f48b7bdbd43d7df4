import type { Activity } from "@leadloom/core/domain/contact/Activity"
import { Activities } from "@leadloom/core/port/repository/contact/Contacts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readObject } from "../../sql/Json.ts"
import { newest } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

interface ActivityRow extends Omit<Activity, "data"> {
  readonly data: string
}

const activities = table<ActivityRow>(
  "activities",
  {
    tenantId: "tenant_id",
    contactId: "contact_id",
    at: "happened_at",
    activityId: "activity_id",
    leadId: "lead_id",
    type: "type",
    actor: "actor",
    data: "data"
  },
  ["tenantId", "contactId", "at", "activityId"]
)

/** Stores the activities of contacts in SQL. */
export const layer: Layer.Layer<Activities, never, Database> = Layer.effect(
  Activities,
  Effect.map(Database, ({ command, query }) => {
    const insert = command(activities.insert)
    const before = query<ActivityRow>(
      `SELECT ${activities.columns} FROM activities
        WHERE tenant_id = ? AND contact_id = ? AND (happened_at, activity_id) < (?, ?)
        ORDER BY happened_at DESC, activity_id DESC LIMIT ?`
    )
    return Activities.of({
      insert: (activity) => insert(...activities.values({ ...activity, data: JSON.stringify(activity.data) })),
      before: (tenantId, contactId, key, limit) =>
        Effect.map(before(tenantId, contactId, key?.at ?? newest, key?.id ?? "", limit), (rows) =>
          rows.map((row) => ({ ...row, data: readObject(row.data) }))
        )
    })
  })
)
