import { Activity } from "@leadloom/core/internal/domain/contact/Activity"
import { Activities } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { newest } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const activities = table(Activity, { name: "activities", key: ["tenantId", "contactId", "at", "activityId"] })

/** Stores the activities of contacts in SQL. */
export const layer: Layer.Layer<Activities, never, Database> = Layer.effect(
  Activities,
  Effect.map(Database, ({ query, rows }) => {
    const { all } = activities.reading({ query })
    const insert = rows(activities.inserting)
    const before = all(
      `SELECT ${activities.columns} FROM activities
        WHERE tenant_id = ? AND contact_id = ? AND (happened_at, activity_id) < (?, ?)
        ORDER BY happened_at DESC, activity_id DESC LIMIT ?`
    )
    return Activities.of({
      insert: (activity) => insert([activities.values(activity)]),
      before: (tenantId, contactId, key, limit) => before(tenantId, contactId, key?.at ?? newest, key?.id ?? "", limit)
    })
  })
)
