import { View, ViewNotFound } from "@leadloom/core/internal/domain/conversation/View"
import { Views } from "@leadloom/core/internal/port/repository/conversation/Views"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const views = table(View, { name: "views", key: ["tenantId", "viewId"] })

/** Stores the views of the inbox in SQL. */
export const layer: Layer.Layer<Views, never, Database> = Layer.effect(
  Views,
  Effect.map(Database, ({ by, command, query }) => {
    const { all, one } = views.reading({ query })
    const shared = `SELECT ${views.columns} FROM views ${by("views_shared")} WHERE shared = 1 AND tenant_id = ?`
    const own = `SELECT ${views.columns} FROM views ${by("views_private")}
      WHERE shared = 0 AND tenant_id = ? AND owner_id = ?`
    const page = all(
      `SELECT * FROM (${shared} AND view_id > ? UNION ALL ${own} AND view_id > ?) AS visible ORDER BY "viewId" LIMIT ?`
    )
    const find = one(
      `SELECT ${views.columns} FROM views WHERE tenant_id = ? AND view_id = ? AND (shared = 1 OR owner_id = ?)`
    )
    const countShared = query<{ readonly views: number }>(
      `SELECT count(*) AS views FROM views ${by("views_shared")} WHERE shared = 1 AND tenant_id = ?`
    )
    const countOwn = query<{ readonly views: number }>(
      `SELECT count(*) AS views FROM views ${by("views_private")} WHERE shared = 0 AND tenant_id = ? AND owner_id = ?`
    )
    const insert = command(views.insert)
    const update = command(views.replace)
    const remove = command("DELETE FROM views WHERE tenant_id = ? AND view_id = ?")
    return Views.of({
      insert: (view) => insert(...views.values(view)),
      update: (view) => update(...views.changes(view)),
      remove: (tenantId, viewId) => remove(tenantId, viewId),
      get: Effect.fnUntraced(function* (tenantId, viewId, userId) {
        return (yield* find(tenantId, viewId, userId ?? "")) ?? (yield* new ViewNotFound({ viewId }))
      }),
      page: (tenantId, userId, limit, after) => page(tenantId, after ?? "", tenantId, userId ?? "", after ?? "", limit),
      count: (tenantId, ownerId) =>
        Effect.map(ownerId === null ? countShared(tenantId) : countOwn(tenantId, ownerId), ([row]) => row?.views ?? 0)
    })
  })
)
