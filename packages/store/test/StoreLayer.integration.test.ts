import { mkdirSync, writeFileSync } from "node:fs"
import { connect, createServer, type Server } from "node:net"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { freshTenant, tenantRecord } from "@leadloom/testkit/suite/Records"
import { Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Sqlite from "../src/Sqlite.ts"
import * as Store from "../src/Store.ts"
import * as TransactionsAdapter from "../src/unit/Transactions.ts"
import * as TenantsAdapter from "../src/repository/tenant/Tenants.ts"
import { temporaryFile } from "./TemporaryStore.ts"

const failureOf = (url: string) => Effect.flip(Effect.provide(Effect.void, Store.layer({ url })))

const listen = (server: Server) =>
  Effect.callback<number>((resume) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

describe("the store", () => {
  it.effect("names the supported databases when it gets another one", () =>
    Effect.gen(function* () {
      for (const url of ["postgres:", "postgres://", "mysql://x", "sqlite:", "leadloom.db", ""]) {
        const error = yield* failureOf(url)
        assert.strictEqual(error._tag, "StoreUrlUnsupported", url)
        assert.include(error.message, "sqlite:<file path>")
      }
    })
  )
  it.live("is unavailable if no Postgres answers", () =>
    Effect.gen(function* () {
      const error = yield* failureOf("postgres://leadloom:secret@127.0.0.1:1/leadloom")
      assert.strictEqual(error._tag, "StoreUnavailable")
      assert.notInclude(error._tag === "StoreUnavailable" ? error.reason : "", "secret")
    })
  )
  it.live("waits for a Postgres that does not answer at first, if configured", () =>
    Effect.gen(function* () {
      const target = new URL(yield* temporaryDatabase)
      const behind = Number(target.port)
      let refused = 0
      const door = createServer((socket) => {
        if (refused++ < 2) return void socket.destroy()
        const way = connect(behind, target.hostname)
        socket.on("error", () => way.destroy()).pipe(way)
        way.on("error", () => socket.destroy()).pipe(socket)
      })
      const port = yield* Effect.acquireRelease(listen(door), () => Effect.sync(() => door.close()))
      target.port = String(port)
      const url = target.href
      assert.strictEqual((yield* failureOf(url))._tag, "StoreUnavailable")
      const reported: Array<string | null> = []
      yield* Effect.provide(Store.ping, Store.layer({ url, onUnreachable: (reason) => void reported.push(reason) }))
      assert.deepStrictEqual([reported.length, reported[1]], [2, null])
      assert.include(reported[0], `${target.host}${target.pathname} does not answer`)
      assert.isAtLeast(refused, 3)
    }).pipe(Effect.scoped)
  )
  it.live("is unavailable if Postgres lacks the database, or rejects the password", () =>
    Effect.gen(function* () {
      const url = new URL(yield* temporaryDatabase)
      const elsewhere = new URL("/nowhere", url)
      assert.strictEqual((yield* failureOf(elsewhere.href))._tag, "StoreUnavailable")
      url.password = "wrong"
      const error = yield* Effect.flip(
        Effect.provide(Effect.void, Store.layer({ url: url.href, onUnreachable: () => undefined }))
      )
      assert.strictEqual(error._tag, "StoreUnavailable")
    }).pipe(Effect.scoped)
  )
  it.effect("creates the folder of its file", () =>
    Effect.gen(function* () {
      const filename = join(dirname(yield* temporaryFile), "deep", "er", "leadloom.db")
      yield* Effect.provide(Store.ping, Store.layer({ url: `sqlite:${filename}` }))
    })
  )
  it.effect("is locked by one server at a time, and free after that server ends", () =>
    Effect.gen(function* () {
      const url = `sqlite:${yield* temporaryFile}`
      const error = yield* Effect.provide(failureOf(url), Store.layer({ url }))
      assert.strictEqual(error._tag, "StoreUnavailable")
      assert.include(error._tag === "StoreUnavailable" ? error.reason : "", "in use by another server")
      yield* Effect.provide(Store.ping, Store.layer({ url }))
    })
  )
  it.effect("is unavailable if its file cannot be opened", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      writeFileSync(filename, "This is no database, and long enough to be sure of it. ".repeat(40))
      assert.strictEqual((yield* failureOf(`sqlite:${filename}`))._tag, "StoreUnavailable")
      const folder = join(dirname(filename), "folder")
      mkdirSync(folder)
      assert.strictEqual((yield* failureOf(`sqlite:${folder}`))._tag, "StoreUnavailable")
      assert.strictEqual((yield* failureOf(`sqlite:${filename}/below`))._tag, "StoreUnavailable")
    })
  )
  it.effect("is unavailable while another process locks the database, and after it is closed", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const scope = yield* Scope.make()
      yield* Effect.provide(Store.ping, Store.layer({ url: `sqlite:${filename}` }))
      const ports = Layer.mergeAll(TransactionsAdapter.layer, TenantsAdapter.layer)
      const impatient = Layer.provideMerge(ports, Sqlite.layer({ filename, busyTimeoutMillis: 1 }))
      const services = yield* Layer.buildWithScope(impatient, scope)
      const insert = Effect.flatMap(Tenants, (tenants) => tenants.insert(tenantRecord(freshTenant())))
      const unit = Effect.flatMap(Transactions, ({ atomically }) => atomically("acme", insert))
      const fails = (effect: typeof unit) =>
        Effect.map(Effect.flip(Effect.provide(effect, services)), ({ _tag }) => _tag)
      const during = Effect.gen(function* () {
        const other = yield* SqlClient
        yield* other.unsafe("BEGIN IMMEDIATE")
        assert.deepStrictEqual([yield* fails(insert), yield* fails(unit)], ["StoreUnavailable", "StoreUnavailable"])
        yield* other.unsafe("ROLLBACK")
      })
      yield* Effect.provide(during, Sqlite.layer({ filename }))
      yield* Effect.provide(unit, services)
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual([yield* fails(insert), yield* fails(unit)], ["StoreUnavailable", "StoreUnavailable"])
    })
  )
})
