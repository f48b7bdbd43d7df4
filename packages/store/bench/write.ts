/**
 * The speed of writes through the ports on SQLite, relative to plain better-sqlite3: the writes of one mail as one unit
 * of work with 64 concurrent callers, against the same statements replayed in transactions of 64.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Store from "../src/Store.ts"
import type { Param } from "../src/sql/Param.ts"
import { isSynchronous } from "../src/unit/Connections.ts"
import { ingest, tenantOf } from "./Ingest.ts"

const callers = 64

interface Call {
  readonly text: string
  readonly params: ReadonlyArray<unknown>
}

type Recording = ReadonlyArray<ReadonlyArray<Call>>

const indexesOf = (mails: number): ReadonlyArray<number> => Array.from({ length: mails }, (_, index) => index)

/** Records all statements of the mails in order, one list per mail. */
const record = (file: string, mails: number): Promise<Recording> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const calls: Array<Array<Call>> = []
      yield* Effect.scoped(
        Effect.map(sql.reserve, (connection) => {
          if (!isSynchronous(connection)) throw new Error("This benchmark needs SQLite")
          const { execute, executeNow } = connection
          const note = (text: string, params: ReadonlyArray<unknown>): void => {
            if (params.length > 0) calls.at(-1)?.push({ text, params })
          }
          Object.assign(connection, {
            execute: (text: string, params: ReadonlyArray<unknown>, transform: undefined) => {
              note(text, params)
              return execute(text, params, transform)
            },
            executeNow: (text: string, params: ReadonlyArray<Param>) => {
              note(text, params)
              return executeNow(text, params)
            }
          })
        })
      )
      const { atomically } = yield* Transactions
      for (const index of indexesOf(mails)) {
        calls.push([])
        yield* atomically(tenantOf(index), ingest(index))
      }
      return calls
    }).pipe(Effect.provide(Store.layer({ url: `sqlite:${file}` })))
  )

/** The time of the writes, and the stored messages at the end. */
interface Written {
  readonly millis: number
  readonly cpuMillis: number
  readonly messages: number
}

const begin = () => ({ time: performance.now(), cpu: process.cpuUsage() })

const since = ({ cpu, time }: ReturnType<typeof begin>) => {
  const millis = performance.now() - time
  const { system, user } = process.cpuUsage(cpu)
  return { millis, cpuMillis: (system + user) / 1_000 }
}

const messagesIn = (file: string): number => {
  const database = new Database(file, { readonly: true })
  const messages = Number(database.prepare("SELECT count(*) FROM messages").pluck().get())
  database.close()
  return messages
}

const throughPorts = async (file: string, recording: Recording): Promise<Written> => {
  const elapsed = await Effect.runPromise(
    Effect.gen(function* () {
      const { atomically } = yield* Transactions
      const begun = begin()
      yield* Effect.forEach(indexesOf(recording.length), (index) => atomically(tenantOf(index), ingest(index)), {
        concurrency: callers,
        discard: true
      })
      return since(begun)
    }).pipe(Effect.provide(Store.layer({ url: `sqlite:${file}` })))
  )
  return { ...elapsed, messages: messagesIn(file) }
}

const bare = async (file: string, recording: Recording): Promise<Written> => {
  await Effect.runPromise(Effect.provide(Effect.void, Store.layer({ url: `sqlite:${file}` })))
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
  const [start, commit] = [database.prepare("BEGIN IMMEDIATE"), database.prepare("COMMIT")]
  const begun = begin()
  for (let from = 0; from < recording.length; from += callers) {
    start.run()
    for (const { params, text } of recording.slice(from, from + callers).flat()) {
      const statement = statementOf(text)
      if (statement.reader) statement.all(...params)
      else statement.run(...params)
    }
    commit.run()
  }
  const elapsed = since(begun)
  database.close()
  return { ...elapsed, messages: messagesIn(file) }
}

const run = async (mails: number, rounds: number): Promise<BenchResult> => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-bench-"))
  const fileOf = (name: string): string => join(folder, `${name}.db`)
  try {
    const recording = await record(fileOf("recorded"), mails)
    const written = { ports: new Array<Written>(), bare: new Array<Written>() }
    for (let round = 0; round < rounds; round++) {
      written.ports.push(await throughPorts(fileOf(`ports-${round}`), recording))
      written.bare.push(await bare(fileOf(`bare-${round}`), recording))
    }
    const { bare: raws, ports } = written
    const perSecond = (all: ReadonlyArray<Written>): number =>
      Math.round(median(all.map(({ millis }) => (mails / millis) * 1_000)))
    const ratio = (of: "millis" | "cpuMillis"): number =>
      Number(median(ports.map((one, round) => (raws[round]?.[of] ?? 0) / one[of])).toFixed(3))
    const statements = recording.reduce((sum, calls) => sum + calls.length, 0) / mails
    return {
      figures: {
        mails,
        rounds,
        statementsPerMail: Number(statements.toFixed(1)),
        portsPerSecond: perSecond(ports),
        barePerSecond: perSecond(raws),
        portsCpuMicros: Math.round(median(ports.map(({ cpuMillis }) => (1_000 * cpuMillis) / mails))),
        bareCpuMicros: Math.round(median(raws.map(({ cpuMillis }) => (1_000 * cpuMillis) / mails))),
        ratio: ratio("millis"),
        cpuRatio: ratio("cpuMillis")
      },
      checks: { "both ways store every mail": [...ports, ...raws].every(({ messages }) => messages === mails) }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const bench: Bench = {
  name: "write",
  purpose: "Writes of one mail through the ports on SQLite, against plain better-sqlite3 in equal batches.",
  usage: "[mails] [rounds]",
  sizes: { smallest: [64, 1], small: [1_000, 3], full: [4_000, 7] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}
