/**
 * Runs a back-test of fifty changed rules over a history of messages, on SQLite and on Postgres. Prints medians of the
 * duration in seconds and of the memory of a separate process. See docs/decisions/0040-back-tests.md.
 */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { layer as templates } from "@leadloom/connectors/internal/templates/Liquid"
import type { MessageId } from "@leadloom/core/internal/domain/Id"
import { signalIdOf } from "@leadloom/core/internal/domain/classification/Signal"
import { compileConfig } from "@leadloom/core/internal/domain/tenant/CompiledConfigs"
import { decideWith } from "@leadloom/core/internal/workflow/pipeline/DecideRun"
import { nothingRecorded } from "@leadloom/core/internal/domain/run/Recordings"
import { inputsOf, type RunSubject } from "@leadloom/core/internal/domain/run/RunSubject"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Ids } from "@leadloom/core/internal/port/system/Ids"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Runs } from "@leadloom/core/internal/port/repository/pipeline/Runs"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { createTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import type { DatabaseUrl } from "@leadloom/store/internal/DatabaseUrl"
import * as Store from "@leadloom/store/internal/Store"
import { type Bench, type BenchResult, listAt, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { inMemoryIds } from "@leadloom/testkit/memory/Ids"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seedDatabase } from "../../store/bench/FillTenant.ts"
import { configured, tenantId } from "./backtest/BacktestRules.ts"

const perUnit = 500

/** Returns a run as stored for a message that arrived alone. */
const runOf = Effect.fnUntraced(function* (tenant: Tenant, messageId: MessageId) {
  const message = yield* (yield* Messages).find(tenantId, messageId)
  if (message === null) return yield* Effect.die(new Error(`The message ${messageId} does not exist.`))
  const contact = yield* (yield* Contacts).get(tenantId, message.contactId)
  const subject: RunSubject = {
    tenant,
    message,
    contact,
    contactIsNew: false,
    lead: { assignee: null, createdAt: message.timestamp, source: "import", state: "open" },
    leadIsNew: true,
    overtaken: false,
    repliesToday: 0,
    lastByPersonAt: null,
    modelConfigured: false,
    now: message.timestamp
  }
  const decision = yield* decideWith(compiled, subject, nothingRecorded)
  yield* (yield* Runs).insert({
    ...decision,
    actions: [],
    reply: null,
    runId: yield* (yield* Ids).next("run"),
    tenantId,
    signalId: signalIdOf(message.messageId),
    messageId: message.messageId,
    contactId: message.contactId,
    leadId: message.leadId,
    configVersion: 1,
    createdAt: message.timestamp,
    inputs: inputsOf(subject),
    recordings: nothingRecorded
  })
})

const compiled = compileConfig(configured)

const makeHistory = Effect.gen(function* () {
  const tenant: Tenant = {
    ...(yield* createTenant({ tenantId, name: "Acme", domain: "acme.com", preset: null, hipaa: false })),
    config: configured
  }
  const sql = yield* SqlClient
  const rows = yield* sql.unsafe<{ readonly id: MessageId }>(
    "SELECT message_id AS id FROM messages ORDER BY message_id"
  )
  const { atomically } = yield* Transactions
  for (let at = 0; at < rows.length; at += perUnit) {
    const unit = Effect.forEach(rows.slice(at, at + perUnit), ({ id }) => runOf(tenant, id), { discard: true })
    yield* atomically(tenantId, unit)
  }
})

/** The result that `BacktestResult.ts` prints. */
interface Round {
  readonly seconds: number
  readonly mebibytes: number
  readonly examined: number
  readonly changed: number
}

const measure = async (kind: string, database: DatabaseUrl, messages: number, rounds: number) => {
  const url = database.kind === "sqlite" ? `sqlite:${database.filename}` : database.url
  await Effect.runPromise(seedDatabase(database, messages))
  await Effect.runPromise(Effect.provide(makeHistory, Layer.mergeAll(Store.layer({ url }), templates, inMemoryIds)))
  const program = fileURLToPath(new URL("backtest/BacktestResult.ts", import.meta.url))
  const taken: Array<Round> = []
  for (let round = 0; round < rounds; round++) {
    const args = [...process.execArgv, program, url, String(messages)]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    progress(`${kind} ${stdout.trim()}`)
    taken.push(JSON.parse(stdout))
  }
  return {
    row: {
      kind,
      messages,
      seconds: median(taken.map(({ seconds }) => seconds)),
      mebibytes: median(taken.map(({ mebibytes }) => mebibytes)),
      changed: taken[0]?.changed ?? 0
    },
    isComplete: taken.every(({ changed, examined }) => examined === messages && changed === taken[0]?.changed)
  }
}

type Measured = Awaited<ReturnType<typeof measure>>

const onSqlite = async (messages: number, rounds: number): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-backtest-"))
  try {
    return await measure("SQLite", { kind: "sqlite", filename: join(folder, "history.db") }, messages, rounds)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const onPostgres = async (messages: number, rounds: number): Promise<Measured> => {
  const server = await startForBenchmarks()
  try {
    return await measure("Postgres", { kind: "postgres", url: server.url }, messages, rounds)
  } finally {
    await server.stop()
  }
}

const run = async (messages: number, rounds: number, kinds: ReadonlyArray<string>): Promise<BenchResult> => {
  const measured: Array<Measured> = []
  if (kinds.includes("sqlite")) measured.push(await onSqlite(messages, rounds))
  if (kinds.includes("postgres")) measured.push(await onPostgres(messages, rounds))
  return {
    figures: { rounds, backtests: measured.map(({ row }) => row) },
    checks: {
      "every round examines every message": measured.every(({ isComplete }) => isComplete),
      "both databases change the same runs": new Set(measured.map(({ row }) => row.changed)).size === 1
    }
  }
}

export const bench: Bench = {
  name: "backtest",
  purpose: "A back-test of fifty changed rules over a history of messages: duration and memory, on both databases.",
  usage: "[messages] [rounds] [sqlite,postgres]",
  sizes: {
    smallest: [20, 1, "sqlite"],
    small: [1_000, 1, "sqlite,postgres"],
    full: [100_000, 3, "sqlite,postgres"]
  },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1), listAt(args, 2))
}
