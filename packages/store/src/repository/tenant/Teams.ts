import { Team, TeamExists, TeamNotFound } from "@leadloom/core/internal/domain/user/Team"
import { Teams } from "@leadloom/core/internal/port/repository/tenant/Teams"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const teams = table(Team, { name: "teams", key: ["tenantId", "teamId"] })

/** Stores teams and their members in SQL. */
export const layer: Layer.Layer<Teams, never, Database> = Layer.effect(
  Teams,
  Effect.map(Database, ({ command, query, whole }) => {
    const { all, one } = teams.reading({ query })
    const select = `SELECT ${teams.columns} FROM teams WHERE tenant_id = ?`
    const insert = query(`${teams.insert} ON CONFLICT DO NOTHING RETURNING team_id`)
    const find = one(`${select} AND team_id = ?`)
    const holder = query("SELECT team_id FROM teams WHERE tenant_id = ? AND name = ? AND team_id <> ?")
    const replace = command(teams.replace)
    const remove = query("DELETE FROM teams WHERE tenant_id = ? AND team_id = ? RETURNING team_id")
    const page = all(`${select} AND team_id > ? ORDER BY team_id LIMIT ?`)
    const count = query<{ readonly teams: number }>("SELECT count(*) AS teams FROM teams WHERE tenant_id = ?")
    return Teams.of({
      insert: Effect.fnUntraced(function* (team) {
        const inserted = yield* insert(...teams.values(team))
        if (inserted.length === 0) return yield* new TeamExists({ name: team.name })
      }),
      get: Effect.fnUntraced(function* (tenantId, teamId) {
        return (yield* find(tenantId, teamId)) ?? (yield* new TeamNotFound({ teamId }))
      }),
      update: (team) =>
        whole(
          Effect.gen(function* () {
            const { name, teamId, tenantId } = team
            // A violated unique index would fail the whole unit of work, so the name is checked first.
            if ((yield* holder(tenantId, name, teamId)).length > 0) return yield* new TeamExists({ name })
            yield* replace(...teams.changes(team))
          })
        ),
      remove: Effect.fnUntraced(function* (tenantId, teamId) {
        if ((yield* remove(tenantId, teamId)).length === 0) return yield* new TeamNotFound({ teamId })
      }),
      page: (tenantId, limit, after) => page(tenantId, after ?? "", limit),
      count: (tenantId) => Effect.map(count(tenantId), ([row]) => Number(row?.teams ?? 0))
    })
  })
)
