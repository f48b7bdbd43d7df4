import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { databaseStatus } from "../../src/admin/DatabaseStatus.ts"
import { examineDatabase } from "../../src/admin/Examination.ts"
import { migrateDatabase } from "../../src/admin/MigrateDatabase.ts"
import { migrations } from "../../src/migration/Migrations.ts"
import * as Store from "../../src/Store.ts"
import { temporaryFile } from "../TemporaryStore.ts"
import { onStore, storeMails } from "./Filled.ts"

const all = Object.keys(migrations)
const kinds = [
  ["SQLite", Effect.map(temporaryFile, (file) => `sqlite:${file}`)],
  ["Postgres", temporaryDatabase]
] as const

describe("a database", () => {
  for (const [kind, make] of kinds) {
    it.live(`on ${kind} is migrated once by concurrent processes, and not again`, () =>
      Effect.gen(function* () {
        const url = yield* make
        const reports = yield* Effect.all(
          Array.from({ length: 5 }, () => migrateDatabase(url)),
          {
            concurrency: "unbounded"
          }
        )
        assert.strictEqual(reports.length, 5)
        assert.deepStrictEqual((yield* databaseStatus(url)).applied, all)
        assert.deepStrictEqual((yield* migrateDatabase(url)).applied, [])
      }).pipe(Effect.scoped)
    )

    it.live(`on ${kind} reports migrations and rows, even while a server uses it`, () =>
      Effect.gen(function* () {
        const url = yield* make
        const services = yield* Layer.build(Layer.fresh(Store.layer({ url })))
        yield* Effect.provide(storeMails(20), services)
        const status = yield* databaseStatus(url)
        assert.deepStrictEqual([status.applied, status.missing, status.unknown], [all, [], []])
        assert.isAbove(status.sizeBytes, 10_000)
        assert.deepStrictEqual(
          status.tables.find(({ table }) => table === "messages"),
          { table: "messages", rows: 20, isExact: true }
        )
        assert.deepStrictEqual((yield* migrateDatabase(url)).applied, [])
      }).pipe(Effect.scoped)
    )

    it.live(`on ${kind} of a newer version is reported, and not migrated`, () =>
      Effect.gen(function* () {
        const url = yield* make
        const insert = "INSERT INTO migrations (migration_id, name) VALUES (9999, 'future')"
        yield* onStore(
          url,
          Effect.flatMap(SqlClient, (sql) => sql.unsafe(insert))
        )
        assert.deepStrictEqual((yield* databaseStatus(url)).unknown, ["9999_future"])
        assert.strictEqual((yield* Effect.flip(migrateDatabase(url)))._tag, "DatabaseTooNew")
      }).pipe(Effect.scoped)
    )
  }

  it.live("is not created by a status request for a missing file", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      assert.strictEqual((yield* Effect.flip(databaseStatus(`sqlite:${file}`)))._tag, "DatabaseMissing")
      assert.isFalse(existsSync(file))
    }).pipe(Effect.scoped)
  )

  it.live("reports the process that holds its file", () =>
    Effect.gen(function* () {
      const url = `sqlite:${yield* temporaryFile}`
      const heldBy = Effect.map(examineDatabase(url), (found) => (found.kind === "sqlite" ? found.heldBy : null))
      const during = yield* onStore(url, heldBy)
      assert.isNotNull(during)
      if (process.platform === "linux") assert.strictEqual(during?.pid, process.pid)
      assert.isNull(yield* heldBy)
    }).pipe(Effect.scoped)
  )
})
