import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const tables = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE users (
    tenant_id ${text} NOT NULL, user_id ${text} NOT NULL, name ${text} NOT NULL, email ${text}, role ${text} NOT NULL,
    active ${int} NOT NULL, working_hours ${json}, time_zone ${text}, signature ${text}, subject ${text},
    created_at ${int} NOT NULL, updated_at ${int} NOT NULL, PRIMARY KEY (tenant_id, user_id)) ${clustered}`,
  "CREATE UNIQUE INDEX users_email ON users (tenant_id, email) WHERE email IS NOT NULL",
  "CREATE UNIQUE INDEX users_subject ON users (tenant_id, subject) WHERE subject IS NOT NULL",
  "CREATE INDEX users_active ON users (tenant_id, active, user_id)",
  `CREATE TABLE teams (
    tenant_id ${text} NOT NULL, team_id ${text} NOT NULL, name ${text} NOT NULL, member_ids ${json} NOT NULL,
    last_assigned_id ${text}, created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, team_id)) ${clustered}`,
  "CREATE UNIQUE INDEX teams_name ON teams (tenant_id, name)"
]

/** Adds the users and teams of tenants. FROZEN. */
export const users: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(tables(words), (statement) => sql.unsafe(statement), { discard: true })
})
