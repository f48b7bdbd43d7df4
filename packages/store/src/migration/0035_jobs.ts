import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const table: ReadonlyArray<string> = [
  `ALTER TABLE errands RENAME TO jobs`,
  `ALTER TABLE jobs RENAME COLUMN errand_id TO job_id`,
  `ALTER TABLE jobs RENAME COLUMN errand TO job`
]

const sqliteIndexes: ReadonlyArray<string> = [
  `DROP INDEX errands_due`,
  `CREATE INDEX jobs_due ON jobs (tenant_id, due_at, job_id)`
]

const postgresIndexes: ReadonlyArray<string> = [
  `ALTER INDEX errands_due RENAME TO jobs_due`,
  `ALTER INDEX errands_pkey RENAME TO jobs_pkey`
]

/** Renames the table `errands` to `jobs`. FROZEN. */
export const jobs: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const indexes = sql.onDialectOrElse({ pg: () => postgresIndexes, orElse: () => sqliteIndexes })
  yield* Effect.forEach([...table, ...indexes], (statement) => sql.unsafe(statement), { discard: true })
})
