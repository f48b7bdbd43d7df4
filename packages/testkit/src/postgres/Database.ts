import { randomUUID } from "node:crypto"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"

/** Where a server for tests is that was there before them. */
export const givenVariable = "LEADLOOM_TEST_POSTGRES_URL"
/** Where the server of this run is. */
export const urlVariable = "LEADLOOM_TEST_POSTGRES"
/** Why there is none. */
export const failureVariable = "LEADLOOM_TEST_POSTGRES_FAILURE"
/** The name of a database of that server which has the tables of this version, and which nobody is connected to. */
export const templateVariable = "LEADLOOM_TEST_POSTGRES_TEMPLATE"

const serverUrl = Effect.suspend(() => {
  const url = process.env[urlVariable]
  if (url !== undefined) return Effect.succeed(url)
  const reason = process.env[failureVariable] ?? "the global setup of the tests has not run"
  return Effect.die(new Error(`No Postgres for the tests: ${reason}. Give them one by ${givenVariable}.`))
})

/** Runs one statement beside all databases. */
const administer = (url: string, statement: string) =>
  Effect.scoped(
    Effect.flatMap(PgClient.make({ url: Redacted.make(url), maxConnections: 1 }), (sql) => sql.unsafe(statement))
  ).pipe(Effect.provide(Reactivity.layer), Effect.orDie)

const makeDatabase = Effect.fnUntraced(function* (like: string) {
  const server = yield* serverUrl
  const name = `leadloom_${randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(administer(server, `CREATE DATABASE ${name} ${like}`), () =>
    administer(server, `DROP DATABASE ${name} WITH (FORCE)`)
  )
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
})

/** The URL of an empty Postgres database, which goes with the scope. */
export const temporaryDatabase: Effect.Effect<string, never, Scope.Scope> = makeDatabase("")

/**
 * The same with the tables of this version, copied from a template where the run has made one: half the work of running
 * every migration. For tests that are about something else than how the tables came about.
 */
export const migratedDatabase: Effect.Effect<string, never, Scope.Scope> = Effect.suspend(() => {
  const template = process.env[templateVariable]
  return makeDatabase(template === undefined ? "" : `TEMPLATE ${template}`)
})
