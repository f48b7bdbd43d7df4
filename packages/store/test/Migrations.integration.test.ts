import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Tenants } from "@leadloom/core/port/Tenants"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { freshTenant, tenantRecord } from "@leadloom/testkit/port/Records"
import { Cause, Effect, Exit, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { migrationId, migrations, migrationsTable } from "../src/Migrations.ts"
import { mailAddresses } from "../src/migrations/0005_mail_addresses.ts"
import { dumpPostgres, dumpSqlite } from "../src/SchemaDump.ts"
import * as Store from "../src/Store.ts"
import { temporaryFile } from "./TemporaryStore.ts"

/** A Postgres database that every migration runs on. */
const emptyPostgres = Layer.unwrap(Effect.map(temporaryDatabase, (url) => Store.layer({ url })))

const committed = (name: string): string => readFileSync(new URL(`../schema/${name}.sql`, import.meta.url), "utf8")
const hint = "regenerate: node --conditions=development packages/store/generate/schema.ts"

describe("migrations", () => {
  it("have ids that count up, so that none is skipped where a later one has run", () => {
    const names = Object.keys(migrations)
    const ids = names.map(migrationId)
    assert.isTrue(ids.every((id, index) => id > (ids[index - 1] ?? 0)))
    for (const name of names) assert.match(name, /^\d{4}_[a-z_]+$/u)
  })

  it.effect("make the tables that schema/sqlite.sql shows", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* dumpSqlite, committed("sqlite"), hint)
    }).pipe(Effect.provide(Store.layer({ url: "sqlite::memory:" })))
  )

  it.live("make the tables that schema/postgres.sql shows", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* dumpPostgres, committed("postgres"), hint)
    }).pipe(Effect.provide(emptyPostgres))
  )

  it.live("run once on Postgres, whichever of five servers that start at once comes first", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase
      const opened = Store.ping.pipe(Effect.provide(Layer.fresh(Store.layer({ url }))))
      yield* Effect.all([opened, opened, opened, opened, opened], { concurrency: "unbounded" })
      const rows = yield* Effect.flatMap(SqlClient, (sql) => sql.unsafe(`SELECT name FROM ${migrationsTable}`)).pipe(
        Effect.provide(Store.layer({ url }))
      )
      assert.strictEqual(rows.length, Object.keys(migrations).length)
    }).pipe(Effect.scoped)
  )

  const backfill = Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql.unsafe(
      `INSERT INTO grants (tenant_id, grant_id, provider, email, status, created_at, updated_at, aliases) VALUES
        ('acme', 'g1', 'smtp', 'a@acme.com', 'active', 1, 1, '["b@acme.com","a@acme.com"]'),
        ('other', 'g2', 'smtp', 'a@other.com', 'active', 1, 1, '[]')`
    )
    yield* sql.unsafe("DROP TABLE grant_addresses")
    yield* sql.unsafe("DROP INDEX tenants_domain")
    yield* mailAddresses
    const rows = yield* sql.unsafe(`SELECT tenant_id, address FROM grant_addresses ORDER BY tenant_id, address`)
    assert.deepStrictEqual(rows.map(Object.values), [
      ["acme", "a@acme.com"],
      ["acme", "b@acme.com"],
      ["other", "a@other.com"]
    ])
  })
  it.effect("write down the addresses of accounts that were connected before, on SQLite", () =>
    Effect.provide(backfill, Store.layer({ url: "sqlite::memory:" }))
  )
  it.live("write down the addresses of accounts that were connected before, on Postgres", () =>
    Effect.provide(backfill, emptyPostgres)
  )

  it.effect("run once, whoever opens the database again or at the same time", () =>
    Effect.gen(function* () {
      const url = `sqlite:${yield* temporaryFile}`
      const tenant = tenantRecord(freshTenant())
      const opened = Effect.void.pipe(Effect.provide(Store.layer({ url })))
      // One server has the file at a time: whoever comes second is told so, or finds it migrated.
      const exits = yield* Effect.all([Effect.exit(opened), Effect.exit(opened)], { concurrency: "unbounded" })
      assert.isTrue(exits.some(Exit.isSuccess))
      const failures = exits.flatMap((exit) =>
        Exit.isFailure(exit) ? [Option.getOrNull(Cause.findErrorOption(exit.cause))] : []
      )
      assert.isTrue(failures.every((error) => error?._tag === "StoreUnavailable" && error.reason.includes("in use")))
      yield* opened
      yield* Effect.flatMap(Tenants, (tenants) => tenants.insert(tenant)).pipe(Effect.provide(Store.layer({ url })))
      const found = yield* Effect.flatMap(Tenants, (tenants) => tenants.get(tenant.tenantId)).pipe(
        Effect.provide(Store.layer({ url }))
      )
      assert.deepStrictEqual(found, tenant)
    })
  )

  it.effect("refuse a database that a newer version has made", () =>
    Effect.gen(function* () {
      const url = `sqlite:${yield* temporaryFile}`
      yield* Effect.flatMap(SqlClient, (sql) =>
        sql.unsafe(`INSERT INTO ${migrationsTable} (migration_id, name) VALUES (9999, 'future')`)
      ).pipe(Effect.provide(Store.layer({ url })))
      const error = yield* Effect.flip(Effect.provide(Effect.void, Store.layer({ url })))
      assert.strictEqual(error._tag, "DatabaseTooNew")
    })
  )
})
