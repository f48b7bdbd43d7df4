import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Fiber, Layer } from "effect"
import { backupDatabase } from "../../src/admin/backup/BackupDatabase.ts"
import { migrations } from "../../src/migration/Migrations.ts"
import * as Store from "../../src/Store.ts"
import { temporaryFile } from "../TemporaryStore.ts"
import { contentOf, onStore, storeMails } from "./Filled.ts"

const messageOf = (request: Parameters<typeof backupDatabase>[0]) =>
  Effect.map(Effect.flip(backupDatabase(request)), ({ message }) => message)

const count = (file: string, table: string): unknown => {
  const database = new Database(file, { readonly: true })
  const found = database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
  database.close()
  return found
}

describe("a backup", () => {
  it.live("runs during writes, and contains complete units of one moment", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const services = yield* Layer.build(Layer.fresh(Store.layer({ url: `sqlite:${file}` })))
      yield* Effect.provide(storeMails(2_000), services)
      const writing = yield* Effect.forkChild(Effect.provide(storeMails(2_000, 2_000), services))
      let steps = 0
      const to = `${file}.backup`
      const report = yield* backupDatabase({ url: `sqlite:${file}`, to, onProgress: () => void steps++ })
      yield* Fiber.join(writing)
      assert.deepStrictEqual(report.migrations, Object.keys(migrations))
      assert.isAtLeast(steps, 2)
      const counts = ["messages", "events", "arrivals"].map((table) => count(to, table))
      assert.strictEqual(new Set(counts).size, 1)
      assert.isAtLeast(Number(counts[0]), 2_000)
      assert.strictEqual(count(file, "messages"), 4_000)
      // No other file remains, and a server can open the backup.
      assert.deepStrictEqual(
        readdirSync(dirname(file)).filter((name) => name.includes("backup")),
        ["leadloom.db.backup"]
      )
      yield* onStore(`sqlite:${to}`, Store.ping)
    }).pipe(Effect.scoped)
  )

  it.live("does not restart when another process commits between two steps", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* onStore(`sqlite:${file}`, storeMails(2_000))
      const other = new Database(file)
      const steps: Array<number> = []
      const commit = (pages: number) => {
        steps.push(pages)
        if (steps.length < 20) other.exec(`INSERT INTO usages VALUES ('acme', '${steps.length}', 'sms', 1)`)
      }
      yield* backupDatabase({ url: `sqlite:${file}`, to: `${file}.backup`, onProgress: commit })
      other.close()
      assert.isAtLeast(steps.length, 2)
      assert.deepStrictEqual(
        steps,
        [...new Set(steps)].toSorted((one, another) => one - another)
      )
      assert.strictEqual(count(`${file}.backup`, "usages"), 0)
    }).pipe(Effect.scoped)
  )

  it.live("does not overwrite a file without `force`", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const [url, to] = [`sqlite:${file}`, `${file}.backup`]
      yield* onStore(url, storeMails(10))
      writeFileSync(to, "mine")
      assert.include(yield* messageOf({ url, to }), "--force")
      yield* backupDatabase({ url, to, force: true })
      assert.deepStrictEqual(contentOf(to), contentOf(file))
      assert.include(yield* messageOf({ url, to: file, force: true }), "the database itself")
    }).pipe(Effect.scoped)
  )

  it.live("is refused for a file that is not a Leadloom database, and leaves no files", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const to = `${file}.backup`
      assert.include(yield* messageOf({ url: `sqlite:${file}`, to }), "There is no database")
      new Database(file).exec("CREATE TABLE something (x)").close()
      assert.include(yield* messageOf({ url: `sqlite:${file}`, to }), "no Leadloom migrations")
      writeFileSync(file, "no database at all, and long enough to be sure of that ".repeat(200))
      assert.strictEqual((yield* Effect.flip(backupDatabase({ url: `sqlite:${file}`, to })))._tag, "StoreUnavailable")
      assert.isFalse(existsSync(to))
      assert.deepStrictEqual(
        readdirSync(dirname(file)).filter((name) => name.includes("backup")),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.effect("of a Postgres database is refused, with the pg_dump command without the password", () =>
    Effect.gen(function* () {
      const url = "postgres://me:very-secret@db.example:5433/lead%20loom"
      const message = yield* messageOf({ url, to: "it's.dump" })
      assert.include(
        message,
        String.raw`pg_dump --format=custom --file='it'\''s.dump' --host=db.example --port=5433 --username=me --dbname='lead loom'`
      )
      assert.notInclude(message, "very-secret")
    })
  )
})
