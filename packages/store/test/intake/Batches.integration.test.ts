import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Ids } from "@leadloom/core/internal/port/system/Ids"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { acceptRequest } from "@leadloom/core/internal/workflow/intake/AcceptMessage"
import type { Inbound } from "@leadloom/core/internal/workflow/intake/Inbound"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { makeDoubles, servicesOf } from "@leadloom/testkit/suite/Doubles"
import { eventRecord } from "@leadloom/testkit/suite/Records"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Store from "../../src/Store.ts"
import { livePostgres } from "../TemporaryPostgres.ts"
import { upTo } from "../Triple.ts"
import { bodyOf, inboundOf, type RandomMessage } from "./Arrivals.ts"

const services = Layer.merge(livePostgres, servicesOf(makeDoubles(), []))

const plain: RandomMessage = {
  kind: "mail",
  person: 0,
  other: null,
  id: null,
  references: [],
  thread: null,
  subject: 0,
  time: 1,
  print: null
}

/** A message without dedup keys, from one of seven people. */
const keyless = (index: number, tenantId = "acme"): Inbound =>
  inboundOf({ ...plain, kind: index % 2 === 0 ? "chat" : "mail", person: index % 7 }, index, tenantId)

const acceptAll = (all: ReadonlyArray<Inbound>) =>
  Effect.forEach(all, (inbound) => Effect.result(acceptRequest(inbound)), { concurrency: "unbounded" })

const rowsOf = <Row extends object>(text: string) => Effect.flatMap(SqlClient, (sql) => sql.unsafe<Row>(text))

const countOf = (text: string) =>
  Effect.map(rowsOf<{ readonly count: number }>(text), ([row]) => Number(row?.count ?? Number.NaN))

/** Returns how often the message of each index is stored. */
const timesStored = Effect.fnUntraced(function* (indexes: ReadonlyArray<number>) {
  const rows = yield* rowsOf<{ readonly body: string }>("SELECT body FROM messages")
  const bodies = rows.map(({ body }) => body)
  return indexes.map((index) => bodies.filter((body) => body === bodyOf(index)).length)
})

/** Checks the counters and the order of events against the stored messages. */
const checkTotals = Effect.gen(function* () {
  const messages = yield* countOf("SELECT count(*) AS count FROM messages")
  assert.strictEqual(yield* countOf("SELECT count(*) AS count FROM arrivals WHERE outcome = 'message'"), messages)
  assert.strictEqual(yield* countOf("SELECT sum(arrivals) AS count FROM arrival_counts"), messages)
  assert.strictEqual(yield* countOf("SELECT sum(unread) AS count FROM conversations"), messages)
  assert.strictEqual(yield* countOf("SELECT count(*) AS count FROM signals"), messages)
  const events = yield* (yield* Events).after("acme", 0, 10_000)
  assert.deepStrictEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1)
  )
  assert.strictEqual(
    yield* countOf("SELECT last_sequence AS count FROM event_sequences WHERE tenant_id = 'acme'"),
    events.length
  )
})

/** The tag of a completed COMMIT in the protocol of Postgres. */
const committed = Buffer.from("COMMIT\0")

/** A proxy that once drops a connection after the commit of a batch, before the client learns of the commit. */
const losingCommit = Effect.fnUntraced(function* (target: string) {
  const behind = new URL(target)
  const sockets = new Set<Socket>()
  const state = { armed: true, lost: 0 }
  const server = createServer((near) => {
    const far = connect(Number(behind.port), behind.hostname)
    let isIntake = false
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on("error", () => undefined)
    }
    near.on("data", (chunk) => {
      isIntake ||= chunk.includes("INSERT INTO messages") && chunk.includes("unnest(")
      far.write(chunk)
    })
    far.on("data", (chunk) => {
      if (isIntake && state.armed && chunk.includes(committed)) {
        state.armed = false
        state.lost += 1
        near.destroy()
        far.destroy()
      } else near.write(chunk)
    })
    near.on("close", () => far.destroy())
    far.on("close", () => near.destroy())
  })
  yield* Effect.promise(() => {
    server.listen(0, "127.0.0.1")
    return once(server, "listening")
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? String(address.port) : ""
  return { state, url: Object.assign(new URL(target), { hostname: "127.0.0.1", port }).href }
})

describe("batches of messages on Postgres", () => {
  it.live("write many messages in few transactions", () =>
    Effect.gen(function* () {
      const results = yield* acceptAll(upTo(100).map((index) => keyless(index)))
      assert.isTrue(results.every(({ _tag }) => _tag === "Success"))
      assert.deepStrictEqual(new Set(yield* timesStored(upTo(100))), new Set([1]))
      assert.isBelow(yield* countOf("SELECT count(DISTINCT xmin::text) AS count FROM messages"), 50)
      yield* checkTotals
    }).pipe(Effect.provide(services))
  )

  it.live("store one of two hundred simultaneous copies", () =>
    Effect.gen(function* () {
      const copies = upTo(200).map((index) => inboundOf({ ...plain, id: 1, references: [2] }, index, "acme"))
      const results = yield* acceptAll(copies)
      const outcomes = results.map((result) => (result._tag === "Success" ? result.success.outcome : "failed"))
      assert.strictEqual(outcomes.filter((outcome) => outcome === "message").length, 1)
      assert.strictEqual(outcomes.filter((outcome) => outcome === "duplicate_of").length, 199)
      assert.strictEqual(yield* countOf("SELECT count(*) AS count FROM messages"), 1)
      assert.strictEqual(yield* countOf("SELECT count(*) AS count FROM contacts"), 1)
      assert.strictEqual(yield* countOf("SELECT count(*) AS count FROM arrivals"), 200)
    }).pipe(Effect.provide(services))
  )

  it.live("join a thread whose replies arrive in the same batch before the mail that they answer", () =>
    Effect.gen(function* () {
      const chain = upTo(30).map((index) =>
        inboundOf({ ...plain, person: index % 3, id: index, references: index === 0 ? [] : [index - 1] }, index, "acme")
      )
      const results = yield* acceptAll(chain.toReversed())
      assert.isTrue(results.every(({ _tag }) => _tag === "Success"))
      assert.strictEqual(yield* countOf("SELECT count(*) AS count FROM threads"), 1)
      assert.strictEqual(yield* countOf("SELECT count(DISTINCT thread_id) AS count FROM messages"), 1)
      assert.strictEqual(yield* countOf("SELECT count(DISTINCT lead_id) AS count FROM messages"), 1)
      yield* checkTotals
    }).pipe(Effect.provide(services))
  )

  it.live("merge threads that a mail of the batch connects", () =>
    Effect.gen(function* () {
      const separate = upTo(20).map((index) => inboundOf({ ...plain, person: index % 4, id: index }, index, "acme"))
      const connecting = inboundOf({ ...plain, id: 24, references: upTo(20) }, 20, "acme")
      yield* acceptAll([...separate, connecting])
      yield* acceptAll([inboundOf({ ...plain, id: 23, references: upTo(20) }, 21, "acme")])
      assert.strictEqual(yield* countOf("SELECT count(*) AS count FROM threads"), 1)
      assert.strictEqual(yield* countOf("SELECT count(*) AS count FROM leads WHERE merged_into IS NULL"), 1)
      assert.strictEqual(yield* countOf("SELECT count(DISTINCT lead_id) AS count FROM messages"), 1)
      assert.strictEqual(yield* countOf("SELECT count(*) AS count FROM messages"), 22)
    }).pipe(Effect.provide(services))
  )

  it.live("keep tenants apart that use the same ids and addresses", () =>
    Effect.gen(function* () {
      const tenants = upTo(6).map((number) => `tenant-${number}`)
      const mails = tenants.flatMap((tenantId) =>
        upTo(20).map((index) => inboundOf({ ...plain, person: index % 3, id: index, references: [0] }, index, tenantId))
      )
      yield* acceptAll(mails)
      const rows = yield* rowsOf<Readonly<Record<string, number>>>(
        `SELECT (SELECT count(*) FROM messages m WHERE m.tenant_id = t.tenant_id) AS messages,
          (SELECT count(*) FROM contacts c WHERE c.tenant_id = t.tenant_id) AS contacts,
          (SELECT count(*) FROM threads h WHERE h.tenant_id = t.tenant_id) AS threads,
          (SELECT count(*) FROM messages m JOIN contacts c ON c.contact_id = m.contact_id
            WHERE m.tenant_id = t.tenant_id AND c.tenant_id <> t.tenant_id) AS foreign_contacts
          FROM (SELECT DISTINCT tenant_id FROM messages) t`
      )
      assert.deepStrictEqual(
        rows,
        tenants.map(() => ({ messages: 20, contacts: 3, threads: 1, foreign_contacts: 0 }))
      )
    }).pipe(Effect.provide(services))
  )

  it.live("fail only the message with a defect", () =>
    Effect.gen(function* () {
      const ids = yield* Ids
      const broken = Ids.of({
        next: (prefix) => (prefix === "sig" || prefix === "msg" ? Effect.die("a bug") : ids.next(prefix))
      })
      const exits = yield* Effect.forEach(
        upTo(20),
        (index) => {
          const accepting = acceptRequest(keyless(index))
          return Effect.exit(index === 7 ? Effect.provideService(accepting, Ids, broken) : accepting)
        },
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        exits.flatMap(({ _tag }, index) => (_tag === "Failure" ? [index] : [])),
        [7]
      )
      assert.strictEqual(yield* countOf("SELECT count(*) AS count FROM messages"), 19)
      yield* checkTotals
    }).pipe(Effect.provide(services))
  )

  it.live("store messages that are too large or contain characters that Postgres cannot store", () =>
    Effect.gen(function* () {
      const odd = ["x".repeat(400_000), "a \0 b", "a \ud800 b"].map((body, index) => ({ ...keyless(index), body }))
      const results = yield* acceptAll([...odd, ...upTo(10).map((index) => keyless(100 + index))])
      assert.isTrue(results.every(({ _tag }) => _tag === "Success"))
      assert.strictEqual(yield* countOf("SELECT count(*) AS count FROM messages"), 13)
      yield* checkTotals
    }).pipe(Effect.provide(services))
  )

  it.live("exclude units of work of the same tenant", () =>
    Effect.gen(function* () {
      const { atomically } = yield* Transactions
      const unit = (number: number) =>
        atomically(
          "acme",
          Effect.flatMap(Events, (events) => events.append("acme", [eventRecord("acme", number)]))
        )
      yield* Effect.all([acceptAll(upTo(100).map((index) => keyless(index))), Effect.forEach(upTo(100), unit)], {
        concurrency: "unbounded"
      })
      assert.strictEqual(yield* countOf("SELECT count(*) AS count FROM messages"), 100)
      yield* checkTotals
    }).pipe(Effect.provide(services))
  )

  it.live("store each message at most once, and every accepted one, while connections are killed", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const server = yield* Layer.build(Layer.fresh(Layer.merge(Store.layer({ url }), servicesOf(makeDoubles(), []))))
      const operator = yield* Layer.build(Layer.fresh(Store.layer({ url })))
      const kill = rowsOf(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
          AND query LIKE '%unnest(%' AND pid <> pg_backend_pid()`
      ).pipe(Effect.provide(operator))
      const indexes = upTo(400)
      const accepting = Effect.forEach(indexes, (index) => Effect.result(acceptRequest(keyless(index))), {
        concurrency: 50
      }).pipe(Effect.provide(server))
      const killing = Effect.repeat(kill, Schedule.spaced("5 millis"))
      const results = yield* Effect.raceFirst(accepting, Effect.andThen(killing, Effect.never))
      const times = yield* Effect.provide(timesStored(indexes), operator)
      for (const [index, result] of results.entries()) {
        if (result._tag === "Success") assert.strictEqual(times[index], 1)
        else {
          assert.strictEqual(result.failure._tag, "StoreUnavailable")
          assert.isAtMost(times[index] ?? 0, 1)
        }
      }
      yield* Effect.provide(checkTotals, operator)
    }).pipe(Effect.scoped)
  )

  it.live("recognise a stored batch whose connection is lost during the commit", () =>
    Effect.gen(function* () {
      const { state, url } = yield* losingCommit(yield* migratedDatabase)
      const server = yield* Layer.build(Layer.fresh(Layer.merge(Store.layer({ url }), servicesOf(makeDoubles(), []))))
      const results = yield* Effect.provide(acceptAll(upTo(60).map((index) => keyless(index))), server)
      assert.strictEqual(state.lost, 1)
      assert.isTrue(results.every(({ _tag }) => _tag === "Success"))
      assert.deepStrictEqual(new Set(yield* Effect.provide(timesStored(upTo(60)), server)), new Set([1]))
      yield* Effect.provide(checkTotals, server)
    }).pipe(Effect.scoped)
  )
})
