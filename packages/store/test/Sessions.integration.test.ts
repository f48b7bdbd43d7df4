import { connect, createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Signals } from "@leadloom/core/port/repository/pipeline/Signals"
import { Transactions } from "@leadloom/core/port/system/Transactions"
import { noon, signalRecord } from "@leadloom/testkit/suite/Records"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Store from "../src/Store.ts"

/** What clients have said in the protocol of Postgres that a pooler in transaction mode cannot pass on. */
interface Received {
  /** Parameters of session startups. */
  readonly parameters: Set<string>
  /** Names of prepared statements; that of unnamed ones is empty. */
  readonly statements: Set<string>
}

/** Length of a message without its type, as its first four bytes say. */
const lengthAt = (bytes: Buffer, at: number): number => (bytes.length < at + 4 ? Infinity : bytes.readInt32BE(at))

/** Reads what one client says, message by message: https://www.postgresql.org/docs/current/protocol-message-formats.html */
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

/** A way to a database on which everything clients say is heard. */
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

/** The parameters that PgBouncer takes from everybody. */
const poolable = ["application_name", "client_encoding", "database", "user"]

const timeouts = Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe<{ readonly statement: string; readonly lock: string }>(
    "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock"
  )
)

/** Units of several tenants, a read and a claim; what the settings are inside a unit. */
const work = Effect.gen(function* () {
  const [signals, transactions] = [yield* Signals, yield* Transactions]
  const enqueue = (number: number) =>
    transactions.atomically(`t${number % 3}`, signals.enqueue(signalRecord(`t${number % 3}`, number), noon, 0))
  yield* Effect.forEach([1, 2, 3, 4, 5, 6], enqueue, { concurrency: "unbounded" })
  assert.lengthOf(yield* signals.claim(10, noon, noon + 1), 6)
  return yield* transactions.atomically("t1", Effect.orDie(timeouts))
})

const serverOn = (url: string) => Layer.build(Layer.fresh(Store.layer({ url })))

/** Costs at which Postgres takes parallel workers for whatever it may take them for. */
const cheapWorkers = [
  "parallel_setup_cost",
  "parallel_tuple_cost",
  "min_parallel_table_scan_size",
  "min_parallel_index_scan_size"
]

/** How a long list of a tenant is read where workers cost nothing. */
const planOfList = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("INSERT INTO usages SELECT 'acme', '2026-01', i::text, 0 FROM generate_series(1, 20000) AS i")
  yield* Effect.forEach(cheapWorkers, (name) => sql.unsafe(`SET LOCAL ${name} = 0`))
  const rows = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(
    "EXPLAIN SELECT * FROM usages WHERE tenant_id = 'acme' ORDER BY month, kind"
  )
  return rows.map((row) => row["QUERY PLAN"]).join("\n")
})

it.live("no statement of a server is given parallel workers, which take longer to start than a page to read", () =>
  Effect.gen(function* () {
    const server = yield* serverOn(yield* temporaryDatabase)
    const plan = yield* Effect.flatMap(SqlClient, (sql) => sql.withTransaction(planOfList)).pipe(Effect.provide(server))
    assert.include(plan, "Scan")
    assert.notInclude(plan, "Gather")
  }).pipe(Effect.scoped)
)

describe("a server behind a pooler", () => {
  it.live("keeps to what transaction mode passes on, and gives every unit its limits, when its URL says so", () =>
    Effect.gen(function* () {
      const { received, url } = yield* tapped(yield* temporaryDatabase)
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

  it.live("prepares statements and sets up its sessions when its URL says nothing of one", () =>
    Effect.gen(function* () {
      const { received, url } = yield* tapped(yield* temporaryDatabase)
      const server = yield* serverOn(url)
      assert.deepStrictEqual(yield* Effect.provide(work, server), [{ statement: "30s", lock: "10s" }])
      assert.deepStrictEqual(yield* Effect.provide(timeouts, server), [{ statement: "30s", lock: "10s" }])
      assert.isTrue(received.parameters.has("statement_timeout"))
      assert.isAbove(received.statements.size, 5)
    }).pipe(Effect.scoped)
  )
})
