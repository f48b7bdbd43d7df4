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

/**
 * Makes a database of each kind with the tables of this version, and answers how they go. For the setup of a run, once its
 * Postgres has started: hundreds of tests begin with such a database, and copy these instead of running every migration.
 */
export const openTemplates = async (): Promise<() => Promise<void>> => {
  const scope = Effect.runSync(Scope.make())
  await Effect.runPromise(Scope.provide(makeTemplates, scope))
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
