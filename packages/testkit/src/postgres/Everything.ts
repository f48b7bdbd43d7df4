import { randomUUID } from "node:crypto"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted, Schema, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlClient } from "effect/sql/SqlClient"

/** Runs work on one connection to a database. */
export const onDatabase = <A, E, R>(url: string, work: (sql: SqlClient) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(PgClient.make({ url: Redacted.make(url), maxConnections: 1 }), work)).pipe(
    Effect.provide(Reactivity.layer),
    Effect.orDie
  )

const Named = Schema.Array(Schema.Struct({ name: Schema.String }))
const Texts = Schema.Array(Schema.Struct({ row: Schema.String }))

/** Returns every table of a database with all rows, as Postgres prints them. */
export const everythingIn = (url: string): Effect.Effect<ReadonlyArray<readonly [table: string, text: string]>> =>
  onDatabase(url, (sql) =>
    Effect.gen(function* () {
      const tables = yield* sql.unsafe(
        "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1"
      )
      return yield* Effect.forEach(yield* Schema.decodeUnknownEffect(Named)(tables), ({ name }) =>
        Effect.gen(function* () {
          const rows = yield* sql.unsafe(`SELECT t::text AS row FROM ${name} t`)
          const texts = yield* Schema.decodeUnknownEffect(Texts)(rows)
          return [name, texts.map(({ row }) => row).join("\n")] as const
        })
      )
    })
  )

/**
 * Creates a user with this password, makes it the owner of the database and returns the new URL. The user is dropped
 * with the scope.
 */
export const ownedBy = (url: string, password: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const user = `leadloom_${randomUUID().replaceAll("-", "")}`
    const database = new URL(url).pathname.slice(1)
    yield* Effect.acquireRelease(
      onDatabase(url, (sql) =>
        Effect.gen(function* () {
          yield* sql.unsafe(`CREATE ROLE ${user} LOGIN PASSWORD '${password}'`)
          yield* sql.unsafe(`ALTER DATABASE ${database} OWNER TO ${user}`)
        })
      ),
      () =>
        onDatabase(url, (sql) =>
          Effect.gen(function* () {
            yield* sql.unsafe(`REASSIGN OWNED BY ${user} TO CURRENT_USER`)
            yield* sql.unsafe(`DROP OWNED BY ${user}`)
            yield* sql.unsafe(`DROP ROLE ${user}`)
          })
        )
    )
    const owned = new URL(url)
    owned.username = user
    owned.password = password
    return owned.href
  })
