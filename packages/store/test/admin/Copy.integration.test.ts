import { assert, describe, it } from "@effect/vitest"
import { migratedFile } from "@leadloom/testkit/MigratedFile"
import { migratedDatabase, temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import Database from "better-sqlite3"
import { Search } from "@leadloom/core/internal/port/repository/contact/Search"
import { parseSearchQuery } from "@leadloom/core/internal/domain/search/SearchQuery"
import { Effect, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { copiedTables, rebuiltTables } from "../../src/admin/Catalog.ts"
import { copyDatabase } from "../../src/admin/CopyDatabase.ts"
import * as Store from "../../src/Store.ts"
import { temporaryFile } from "../TemporaryStore.ts"
import { tenantOf } from "../../bench/Ingest.ts"
import { contentOf, differing, onStore, rowsOf, storeMails, storeOddities } from "./Filled.ts"

const failureOf = (request: Parameters<typeof copyDatabase>[0]) =>
  Effect.map(Effect.flip(copyDatabase(request)), (error) =>
    error._tag === "StoreUnavailable" ? `UNAVAILABLE ${error.reason}` : error.message
  )

/** The kinds of databases as source, with all tables. */
const sources = [
  ["SQLite", Effect.map(migratedFile, (file) => `sqlite:${file}`)],
  ["Postgres", migratedDatabase]
] as const

/** The kinds of databases as target, without a table. */
const kinds = [
  ["SQLite", Effect.map(temporaryFile, (file) => `sqlite:${file}`)],
  ["Postgres", temporaryDatabase]
] as const

describe("the catalog", () => {
  it.effect("has every table of the migrations, and walks each by an ascending key", () =>
    Effect.gen(function* () {
      const tables = yield* copiedTables
      const keys = new Map(tables.map(({ columns, keyLength, name }) => [name, columns.slice(0, keyLength).join(" ")]))
      assert.isAtLeast(keys.size, 25)
      assert.strictEqual(keys.get("messages"), "tenant_id message_id")
      // Its primary key is descending, because lists show the newest first.
      assert.strictEqual(keys.get("conversations"), "tenant_id contact_id")
    })
  )

  it.live("has every table of Postgres except rebuilt ones", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase
      const select = "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1"
      const rows = yield* onStore(
        url,
        Effect.flatMap(SqlClient, (sql) => sql.unsafe<{ readonly name: string }>(select))
      )
      const kept = rows.map(({ name }) => name).filter((name) => name !== "migrations" && !rebuiltTables.has(name))
      assert.deepStrictEqual(kept.toSorted(), (yield* copiedTables).map(({ name }) => name).toSorted())
    }).pipe(Effect.scoped)
  )
})

describe("a copy", () => {
  for (const [fromKind, makeSource] of sources) {
    for (const [toKind, makeTarget] of kinds) {
      it.live(`from ${fromKind} to ${toKind} and on to a file contains the same rows`, () =>
        Effect.gen(function* () {
          const [source, target, last] = [yield* makeSource, yield* makeTarget, yield* temporaryFile]
          const begin = yield* temporaryFile
          yield* onStore(source, Effect.andThen(storeMails(300), storeOddities("odd")))
          const first = yield* copyDatabase({ from: source, to: `sqlite:${begin}` })
          const copied = yield* copyDatabase({ from: source, to: target })
          const onward = yield* copyDatabase({ from: target, to: `sqlite:${last}` })
          assert.deepStrictEqual([first, copied, onward].map(differing), [[], [], []])
          assert.strictEqual(rowsOf(copied, "messages"), 307)
          const isLossy = fromKind === "SQLite" && toKind === "Postgres"
          const replaced = copied.tables
            .filter((one) => one.replaced > 0)
            .map(({ replaced, table }) => [table, replaced])
          assert.deepStrictEqual(
            replaced,
            isLossy
              ? [
                  ["contact_tags", 1],
                  ["contacts", 1],
                  ["dedup_keys", 1],
                  ["identities", 1],
                  ["messages", 1]
                ]
              : []
          )
          const expected = [...contentOf(begin)].map(
            ([name, rows]) =>
              // Only outside JSON columns; the escapes in JSON stay.
              [
                name,
                isLossy ? rows.map((row) => String(row).replaceAll(/(?<!\\)\\u0000/gu, "\uFFFD")).toSorted() : rows
              ] as const
          )
          for (const [name, rows] of expected) assert.deepStrictEqual(contentOf(last).get(name), rows, name)
        }).pipe(Effect.scoped)
      )
    }
  }

  it.live("contains one moment of a source during writes", () =>
    Effect.gen(function* () {
      for (const [, make] of sources) {
        const [source, target] = [yield* make, `sqlite:${yield* temporaryFile}`]
        const services = yield* Layer.build(Layer.fresh(Store.layer({ url: source })))
        yield* Effect.provide(storeMails(500), services)
        const writing = Effect.provide(storeMails(300, 500), services)
        const copying = copyDatabase({ from: source, to: target })
        const [report] = yield* Effect.all([copying, writing], { concurrency: "unbounded" })
        assert.deepStrictEqual(differing(report), [])
        // Each mail writes one event, one message and one arrival in one unit.
        const counts = ["messages", "events", "arrivals"].map((name) => rowsOf(report, name))
        assert.strictEqual(new Set(counts).size, 1)
        assert.isAtLeast(counts[0] ?? 0, 500)
      }
    }).pipe(Effect.scoped)
  )

  it.live("of a file does not contain commits of another process between two pages", () =>
    Effect.gen(function* () {
      const [source, target] = [yield* migratedFile, `sqlite:${yield* temporaryFile}`]
      yield* onStore(`sqlite:${source}`, storeMails(50))
      const other = new Database(source)
      const commit = () => void other.exec("DELETE FROM threads; UPDATE messages SET body = 'changed'")
      const report = yield* copyDatabase({ from: `sqlite:${source}`, to: target, onProgress: commit })
      other.close()
      assert.deepStrictEqual(differing(report), [])
      assert.isAbove(rowsOf(report, "threads"), 0)
      assert.notInclude(contentOf(target.slice("sqlite:".length)).get("messages")?.[0], "changed")
    }).pipe(Effect.scoped)
  )

  it.live("reports every copied row, and compares the same number", () =>
    Effect.gen(function* () {
      const [source, target] = [`sqlite:${yield* migratedFile}`, `sqlite:${yield* temporaryFile}`]
      yield* onStore(source, storeMails(400))
      const progress: Array<readonly [string, number, number]> = []
      yield* copyDatabase({
        from: source,
        to: target,
        onProgress: ({ phase, rows, total }) => void progress.push([phase, rows, total])
      })
      for (const phase of ["copy", "compare"]) {
        const last = progress.findLast(([of]) => of === phase)
        assert.strictEqual(last?.[1], last?.[2])
      }
    }).pipe(Effect.scoped)
  )

  it.live("that changed before the comparison is detected, does not open in a server, and can be repaired", () =>
    Effect.gen(function* () {
      const [source, target] = [`sqlite:${yield* migratedFile}`, yield* temporaryFile]
      yield* onStore(source, storeMails(50))
      let altered = false
      const alter = () => {
        altered = true
        const file = new Database(target)
        file.exec("UPDATE messages SET body = body || '.' WHERE message_id = (SELECT max(message_id) FROM messages)")
        file.close()
      }
      const request = { from: source, to: `sqlite:${target}` }
      const report = yield* copyDatabase({
        ...request,
        onProgress: ({ phase }) => (phase === "compare" && !altered ? alter() : undefined)
      })
      assert.deepStrictEqual(differing(report), ["messages"])
      const refusal = yield* Effect.flip(onStore(request.to, Effect.void))
      assert.strictEqual(refusal._tag, "CopyUnfinished")
      assert.include(yield* failureOf(request), "unfinished copy")
      assert.deepStrictEqual(differing(yield* copyDatabase({ ...request, resume: true })), [])
      yield* onStore(request.to, Effect.void)
      assert.deepStrictEqual(contentOf(target), contentOf(source.slice("sqlite:".length)))
    }).pipe(Effect.scoped)
  )
})

describe("the search index of a copy", () => {
  for (const [kind, make] of kinds) {
    it.live(`is rebuilt on ${kind}, and finds the same matches as that of the source`, () =>
      Effect.gen(function* () {
        const [source, target] = [`sqlite:${yield* migratedFile}`, yield* make]
        const searchQuery = parseSearchQuery("offer wind")
        const found = Effect.gen(function* () {
          const search = yield* Search
          const tenantId = tenantOf(1)
          yield* Effect.repeat(search.catchUp(tenantId, 50, "oldest"), { until: (isDone) => isDone })
          const stretch = { since: null, after: null, until: null, limit: 500 }
          const messages = yield* search.places(tenantId, "conversations", searchQuery, stretch)
          const contacts = yield* search.places(tenantId, "contacts", parseSearchQuery("person"), stretch)
          return [...messages.places, ...contacts.places].map(({ id }) => id)
        })
        const before = yield* onStore(source, Effect.andThen(storeMails(60), found))
        assert.isAbove(before.length, 12)
        yield* copyDatabase({ from: source, to: target })
        assert.deepStrictEqual(yield* onStore(target, found), before)
      }).pipe(Effect.scoped)
    )
  }
})

describe("a copy is refused", () => {
  for (const [kind, make] of kinds) {
    it.live(`into a ${kind} database with data, even with resume`, () =>
      Effect.gen(function* () {
        const [source, target] = [`sqlite:${yield* migratedFile}`, yield* make]
        yield* onStore(source, storeMails(3))
        yield* onStore(target, storeMails(3))
        assert.include(yield* failureOf({ from: source, to: target }), "already contains data")
        assert.include(yield* failureOf({ from: source, to: target, resume: true }), "not an unfinished copy")
      }).pipe(Effect.scoped)
    )

    it.live(`into a ${kind} database in use by a server`, () =>
      Effect.gen(function* () {
        const [source, target] = [`sqlite:${yield* migratedFile}`, yield* make]
        yield* onStore(source, Effect.void)
        const scope = yield* Scope.Scope
        yield* Layer.buildWithScope(Layer.fresh(Store.layer({ url: target })), scope)
        assert.match(yield* failureOf({ from: source, to: target }), /in use by (?:another|a) server/u)
      }).pipe(Effect.scoped)
    )

    it.live(`from a ${kind} database with missing migrations`, () =>
      Effect.gen(function* () {
        const [source, target] = [yield* make, `sqlite:${yield* temporaryFile}`]
        yield* onStore(
          source,
          Effect.flatMap(SqlClient, (sql) => sql.unsafe("DELETE FROM migrations"))
        )
        assert.include(yield* failureOf({ from: source, to: target }), "leadloom db migrate")
      }).pipe(Effect.scoped)
    )
  }

  it.live("from a missing file, without creating it", () =>
    Effect.gen(function* () {
      const [source, target] = [`sqlite:${yield* temporaryFile}`, `sqlite:${yield* temporaryFile}`]
      assert.include(yield* failureOf({ from: source, to: target }), "There is no database")
      assert.include(yield* failureOf({ from: source, to: target }), "There is no database")
    }).pipe(Effect.scoped)
  )

  it.live("if rows become equal because NUL is replaced", () =>
    Effect.gen(function* () {
      const [source, target] = [`sqlite:${yield* migratedFile}`, yield* temporaryDatabase]
      const insert = "INSERT INTO undeliverable (tenant_id, email, bounced_at, reason) VALUES ('acme', ?, 1, 'gone')"
      yield* onStore(
        source,
        Effect.flatMap(SqlClient, (sql) =>
          Effect.forEach(["a\0@x.example", "a\uFFFD@x.example"], (email) => sql.unsafe(insert, [email]))
        )
      )
      assert.include(yield* failureOf({ from: source, to: target }), "undeliverable")
    }).pipe(Effect.scoped)
  )
})
