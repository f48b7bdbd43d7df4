import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { templateVariable as fileVariable } from "@leadloom/testkit/MigratedFile"
import { templateVariable, temporaryDatabase, urlVariable } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Scope } from "effect"
import * as Store from "../src/Store.ts"

/** Brings a database to the tables of this version and lets go of it. */
const migrated = (url: string) => Effect.provide(Effect.void, Store.layer({ url }))

const makeTemplates = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "leadloom-template-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  const filename = join(folder, "leadloom.db")
  yield* migrated(`sqlite:${filename}`)
  process.env[fileVariable] = filename
  // Where there is no Postgres, the tests that need one say why.
  if (process.env[urlVariable] === undefined) return
  const url = yield* temporaryDatabase
  yield* migrated(url)
  process.env[templateVariable] = new URL(url).pathname.slice(1)
})

let scope: Scope.Closeable | null = null

/**
 * Runs once before all tests, after their Postgres has started: makes a database of each kind with the tables of this
 * version. Hundreds of tests begin with such a database; they copy these instead of running every migration again.
 */
export const setup = async (): Promise<void> => {
  // Once for all projects of a run.
  if (process.env[fileVariable] !== undefined) return
  scope = Effect.runSync(Scope.make())
  await Effect.runPromise(Scope.provide(makeTemplates, scope))
}

/** Runs once after all tests. */
export const teardown = async (): Promise<void> => {
  if (scope !== null) await Effect.runPromise(Scope.close(scope, Exit.void))
}
