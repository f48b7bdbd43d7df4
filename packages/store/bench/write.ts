/**
 * The speed of writes through the ports on SQLite, relative to plain better-sqlite3: the writes of one mail as one unit
 * of work with 64 concurrent callers, against the same statements replayed in transactions of 64.
 * Run: node --conditions=development packages/store/bench/write.ts [mails] [rounds]
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Transactions } from "@leadloom/core/port/system/Transactions"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Store from "../src/Store.ts"
import { ingest, tenantOf } from "./Ingest.ts"

const mails = Number(process.argv[2] ?? 4_000)
const rounds = Number(process.argv[3] ?? 7)
const callers = 64

interface Call {
  readonly text: string
  readonly params: ReadonlyArray<unknown>
}

const folder = mkdtempSync(join(tmpdir(), "leadloom-bench-"))
const fileOf = (name: string): string => join(folder, `${name}.db`)

const indexes = Array.from({ length: mails }, (_, index) => index)

/** All statements of the mails in order, one list per mail. */
const recorded: ReadonlyArray<ReadonlyArray<Call>> = await Effect.runPromise(
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const calls: Array<Array<Call>> = []
    yield* Effect.scoped(
      Effect.map(sql.reserve, (connection) => {
        const { execute } = connection
        Object.assign(connection, {
          execute: (text: string, params: ReadonlyArray<unknown>, transform: undefined) => {
            if (params.length > 0) calls.at(-1)?.push({ text, params })
            return execute(text, params, transform)
          }
        })
      })
    )
    const { atomically } = yield* Transactions
    for (const index of indexes) {
      calls.push([])
      yield* atomically(tenantOf(index), ingest(index))
    }
    return calls
  }).pipe(Effect.provide(Store.layer({ url: `sqlite:${fileOf("recorded")}` })))
)

const throughPorts = (file: string): Promise<number> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { atomically } = yield* Transactions
      const begun = performance.now()
      yield* Effect.forEach(indexes, (index) => atomically(tenantOf(index), ingest(index)), {
        concurrency: callers,
        discard: true
      })
      return performance.now() - begun
    }).pipe(Effect.provide(Store.layer({ url: `sqlite:${file}` })))
  )

const prepareTables = (file: string): Promise<void> =>
  Effect.runPromise(Effect.provide(Effect.void, Store.layer({ url: `sqlite:${file}` })))

const bare = async (file: string): Promise<number> => {
  await prepareTables(file)
  const database = new Database(file)
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  database.pragma("cache_size = -65536")
  const statements = new Map<string, Database.Statement<Array<unknown>>>()
  const statementOf = (text: string): Database.Statement<Array<unknown>> => {
    const known = statements.get(text) ?? database.prepare<Array<unknown>>(text)
    statements.set(text, known)
    return known
  }
  const [begin, commit] = [database.prepare("BEGIN IMMEDIATE"), database.prepare("COMMIT")]
  const begun = performance.now()
  for (let from = 0; from < recorded.length; from += callers) {
    begin.run()
    for (const calls of recorded.slice(from, from + callers)) {
      for (const { text, params } of calls) {
        const statement = statementOf(text)
        if (statement.reader) statement.all(...params)
        else statement.run(...params)
      }
    }
    commit.run()
  }
  const elapsed = performance.now() - begun
  database.close()
  return elapsed
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

const ports: Array<number> = []
const raws: Array<number> = []
for (let round = 0; round < rounds; round++) {
  const measure = async (name: string, run: (file: string) => Promise<number>, into: Array<number>): Promise<void> => {
    const file = fileOf(`${name}-${round}`)
    into.push((mails / (await run(file))) * 1_000)
    for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true })
  }
  await measure("ports", throughPorts, ports)
  await measure("bare", bare, raws)
}
rmSync(folder, { recursive: true })

const ratios = ports.map((value, round) => value / (raws[round] ?? 1))
const statements = recorded.reduce((sum, calls) => sum + calls.length, 0) / mails
console.log(
  JSON.stringify({
    mails,
    rounds,
    statementsPerMail: Number(statements.toFixed(1)),
    portsPerSecond: Math.round(median(ports)),
    barePerSecond: Math.round(median(raws)),
    ratio: Number(median(ratios).toFixed(3))
  })
)
