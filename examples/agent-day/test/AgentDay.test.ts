import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { shiftedClock } from "@leadloom/testkit/ShiftedClock"
import { Effect, Exit, Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { adminKey, startServer } from "../../../packages/cli/test/ServerProcess.ts"

const run = promisify(execFile)
const example = fileURLToPath(new URL("../index.ts", import.meta.url))

let folder = ""
let scope: Scope.Closeable
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "leadloom-example-"))
  scope = Effect.runSync(Scope.make())
})
afterEach(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await rm(folder, { recursive: true, force: true })
})

/** Plays the day on a server with these variables. Returns the printed lines. */
const play = async (env: Readonly<Record<string, string>>): Promise<ReadonlyArray<string>> => {
  const server = await startServer(folder, env)
  try {
    const { stdout } = await run(process.execPath, ["--conditions=leadloom:source", example], {
      env: { ...shiftedClock(), LEADLOOM_URL: server.url, LEADLOOM_ADMIN_KEY: adminKey }
    })
    return stdout.trimEnd().split("\n")
  } finally {
    await server.stop()
  }
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
  "evening: all conversations are tagged, shown in a view and closed"
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
