/**
 * Postgres for tests and benchmarks: the server of a run, temporary databases and a proxy. SQL of the product belongs
 * in `packages/store`.
 */
import { randomUUID } from "node:crypto"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"

/** The variable with the URL of an existing server for the tests. */
export const givenVariable = "LEADLOOM_TEST_POSTGRES_URL"
/** The variable with the URL of this run's server. */
export const urlVariable = "LEADLOOM_TEST_POSTGRES"
/** The variable with the reason why there is no server. */
export const failureVariable = "LEADLOOM_TEST_POSTGRES_FAILURE"
/** The variable with the name of the template: a migrated database without connections. */
export const templateVariable = "LEADLOOM_TEST_POSTGRES_TEMPLATE"

const serverUrl = Effect.suspend(() => {
  const url = process.env[urlVariable]
  if (url !== undefined) return Effect.succeed(url)
  const reason = process.env[failureVariable] ?? "the global setup of the tests did not run"
  return Effect.die(new Error(`No Postgres for the tests: ${reason}. Name a server in ${givenVariable}.`))
})

/** Runs one administrative statement, outside the test databases. */
export const administer = (url: string, statement: string) =>
  Effect.scoped(
    Effect.flatMap(PgClient.make({ url: Redacted.make(url), maxConnections: 1 }), (sql) => sql.unsafe(statement))
  ).pipe(Effect.provide(Reactivity.layer), Effect.orDie)

// `FILE_COPY` takes half the CPU time of the default, which writes every page to the write-ahead log.
const makeDatabase = Effect.fnUntraced(function* (like: string) {
  const server = yield* serverUrl
  const name = `leadloom_${randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(administer(server, `CREATE DATABASE ${name} ${like} STRATEGY FILE_COPY`), () =>
    administer(server, `DROP DATABASE ${name} WITH (FORCE)`)
  )
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
})

/** Returns the URL of an empty Postgres database. The database is dropped with the scope. */
export const temporaryDatabase: Effect.Effect<string, never, Scope.Scope> = makeDatabase("")

/**
 * Returns the URL of a migrated database. If the run has a template, the database is a copy of it, because a copy takes half the time of all migrations. Tests of migrations must not use this database.
 */
export const migratedDatabase: Effect.Effect<string, never, Scope.Scope> = Effect.suspend(() => {
  const template = process.env[templateVariable]
  return makeDatabase(template === undefined ? "" : `TEMPLATE ${template}`)
})
