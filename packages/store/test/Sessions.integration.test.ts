import { connect, createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { noon, signalRecord } from "@leadloom/testkit/suite/Records"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Store from "../src/Store.ts"

/** Protocol features in use by clients that a pooler in transaction mode cannot forward. */
interface Received {
  /** Parameters of session startups. */
  readonly parameters: Set<string>
  /** Names of prepared statements; empty for unnamed ones. */
  readonly statements: Set<string>
}

/** Returns the length of a message without its type, from its first four bytes. */
const lengthAt = (bytes: Buffer, at: number): number => (bytes.length < at + 4 ? Infinity : bytes.readInt32BE(at))

/** Reads the messages of one client: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const makeReader = ({ parameters, statements }: Received) => {
  let rest: Buffer = Buffer.alloc(0)
  let isStarted = false
  const start = (): boolean => {
    const length = lengthAt(rest, 0)
    if (rest.length < length) return false
    const words = rest.subarray(8, length).toString("utf8").split("\0")
    words.forEach((word, index) => index % 2 === 0 && word !== "" && parameters.add(word))
    rest = rest.subarray(length)
    isStarted = true
    return true
  }
  const next = (): boolean => {
    const length = lengthAt(rest, 1)
    if (rest.length < length + 1) return false
    if (rest.toString("latin1", 0, 1) === "P") statements.add(rest.toString("utf8", 5, rest.indexOf(0, 5)))
    rest = rest.subarray(length + 1)
    return true
  }
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk])
    while (isStarted ? next() : start());
  }
}

/** Starts a proxy to a database that records the messages of all clients. */
const tapped = Effect.fnUntraced(function* (target: string) {
  const received: Received = { parameters: new Set(), statements: new Set() }
  const url = new URL(target)
  const behind = Number(url.port)
  const door = createServer((socket) => {
    const read = makeReader(received)
    const way = connect(behind, url.hostname)
    socket.on("error", () => way.destroy()).on("close", () => way.destroy())
    way.on("error", () => socket.destroy()).on("close", () => socket.destroy())
    socket.on("data", (chunk) => {
      read(chunk)
      way.write(chunk)
    })
    way.on("data", (chunk) => socket.write(chunk))
  })
  const listening = Effect.callback<number>((resume) => {
    door.listen(0, "127.0.0.1", () => {
      const address = door.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
  url.port = String(yield* Effect.acquireRelease(listening, () => Effect.sync(() => door.close())))
  return { received, url: url.href }
})

/** The startup parameters that PgBouncer accepts from every client. */
const poolable = ["application_name", "client_encoding", "database", "user"]

const timeouts = Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe<{ readonly statement: string; readonly lock: string }>(
    "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock"
  )
)

/** Runs units of several tenants, a read and a claim. Returns the settings inside a unit. */
const work = Effect.gen(function* () {
  const [signals, transactions] = [yield* Signals, yield* Transactions]
  const enqueue = (number: number) =>
    transactions.atomically(`t${number % 3}`, signals.enqueue(signalRecord(`t${number % 3}`, number), noon, 0))
  yield* Effect.forEach([1, 2, 3, 4, 5, 6], enqueue, { concurrency: "unbounded" })
  assert.lengthOf(yield* signals.claim(10, noon, noon + 1), 6)
  return yield* transactions.atomically("t1", Effect.orDie(timeouts))
})

const serverOn = (url: string) => Layer.build(Layer.fresh(Store.layer({ url })))

/** Costs that make Postgres use parallel workers wherever possible. */
const cheapWorkers = [
  "parallel_setup_cost",
  "parallel_tuple_cost",
  "min_parallel_table_scan_size",
  "min_parallel_index_scan_size"
]

/** Returns the plan of a long list of a tenant when parallel workers are free. */
const planOfList = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("INSERT INTO usages SELECT 'acme', '2026-01', i::text, 0 FROM generate_series(1, 20000) AS i")
  yield* Effect.forEach(cheapWorkers, (name) => sql.unsafe(`SET LOCAL ${name} = 0`))
  const rows = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(
    "EXPLAIN SELECT * FROM usages WHERE tenant_id = 'acme' ORDER BY month, kind"
  )
  return rows.map((row) => row["QUERY PLAN"]).join("\n")
})

it.live("no statement of a server uses parallel workers, which take longer to start than a page to read", () =>
  Effect.gen(function* () {
    const server = yield* serverOn(yield* migratedDatabase)
    const plan = yield* Effect.flatMap(SqlClient, (sql) => sql.withTransaction(planOfList)).pipe(Effect.provide(server))
    assert.include(plan, "Scan")
    assert.notInclude(plan, "Gather")
  }).pipe(Effect.scoped)
)

describe("a server behind a pooler", () => {
  it.live(
    "uses only what transaction mode supports, and sets the limits of every unit, if its URL names a pooler",
    () =>
      Effect.gen(function* () {
        const { received, url } = yield* tapped(yield* migratedDatabase)
        const server = yield* serverOn(`${url}?pgbouncer=true`)
        assert.deepStrictEqual(yield* Effect.provide(work, server), [{ statement: "30s", lock: "10s" }])
        assert.deepStrictEqual(yield* Effect.provide(timeouts, server), [{ statement: "0", lock: "0" }])
        assert.deepStrictEqual(
          [...received.parameters].filter((name) => !poolable.includes(name)),
          []
        )
        assert.deepStrictEqual([...received.statements], [""])
      }).pipe(Effect.scoped)
  )

  it.live("prepares statements and configures its sessions if its URL names none", () =>
    Effect.gen(function* () {
      const { received, url } = yield* tapped(yield* migratedDatabase)
      const server = yield* serverOn(url)
      assert.deepStrictEqual(yield* Effect.provide(work, server), [{ statement: "30s", lock: "10s" }])
      assert.deepStrictEqual(yield* Effect.provide(timeouts, server), [{ statement: "30s", lock: "10s" }])
      assert.isTrue(received.parameters.has("statement_timeout"))
      assert.isAbove(received.statements.size, 5)
    }).pipe(Effect.scoped)
  )
})
