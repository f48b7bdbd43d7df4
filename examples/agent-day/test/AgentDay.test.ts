import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { shiftedClock } from "@leadloom/testkit/ShiftedClock"
import { Effect, Exit, Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { adminKey, startServer } from "../../../packages/cli/test/ServerProcess.ts"
import { makeClock } from "../../../packages/server/chaos/ShiftableClock.ts"

const run = promisify(execFile)
const pathOf = (script: string): string => fileURLToPath(new URL(`../${script}`, import.meta.url))

let folder = ""
let scope: Scope.Closeable
let relay: SmtpSink
beforeEach(async () => {
  relay = await startSink()
  folder = await mkdtemp(join(tmpdir(), "leadloom-example-"))
  scope = Effect.runSync(Scope.make())
})
afterEach(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await relay.close()
  await rm(folder, { recursive: true, force: true })
})

type Environment = Readonly<Record<string, string>>

/** Runs a script against a server. Returns the printed lines. */
const runScript = async (script: string, url: string): Promise<ReadonlyArray<string>> => {
  const { stdout } = await run(process.execPath, ["--conditions=leadloom:source", pathOf(script)], {
    env: { ...shiftedClock(), LEADLOOM_URL: url, LEADLOOM_ADMIN_KEY: adminKey }
  })
  return stdout.trimEnd().split("\n")
}

/** Runs an action on a server with these variables. */
const onServer = async <A>(env: Environment, action: (url: string) => Promise<A>): Promise<A> => {
  const server = await startServer(folder, { ...env, LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
  try {
    return await action(server.url)
  } finally {
    await server.stop()
  }
}

/** Plays the day, and checks its reports on a server whose clock is five minutes ahead. Returns the printed lines. */
const play = async (env: Environment): Promise<ReadonlyArray<string>> => {
  const day = await onServer(env, (url) => runScript("index.ts", url))
  const clock = makeClock(join(folder, "clock"))
  clock.set(5 * 60_000, [])
  // The server counts after its start, so the first attempts may find incomplete counts.
  const reports = await onServer({ ...env, ...clock.environment }, (url) =>
    vi.waitFor(() => runScript("reports.ts", url), { timeout: 60_000 })
  )
  return [...day, ...reports]
}

const lines = [
  "inbox: assigned, snoozed, closed and reopened",
  "notes: Ben and Sales are mentioned",
  "answers: a canned reply is sent",
  "macros: a tag and a transition are done",
  "letters: an attachment is sent, a scheduled message is cancelled",
  "threads: one is split, two are joined",
  "tasks: Ben completes the task that Ada gave him",
  "deals: a lead went through the stages of the pipeline and is won",
  "evening: all conversations are tagged, shown in a view and closed",
  "reports: volume, first responses and resolutions equal the conversations"
]

describe("examples/agent-day", () => {
  it("plays the day on SQLite", async () => {
    expect(await play({})).toEqual(lines)
  })

  it("plays the day on Postgres", async () => {
    const database = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
    expect(await play({ LEADLOOM_DATABASE_URL: database })).toEqual(lines)
  })
})
