import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { templateVariable as fileVariable } from "@leadloom/testkit/MigratedFile"
import { templateVariable, temporaryDatabase, urlVariable } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Scope } from "effect"
import * as Store from "../src/Store.ts"

/** Migrates a database and closes it. */
const migrated = (url: string) => Effect.provide(Effect.void, Store.layer({ url }))

const makeTemplates = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "leadloom-template-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  const filename = join(folder, "leadloom.db")
  yield* migrated(`sqlite:${filename}`)
  process.env[fileVariable] = filename
  // Without Postgres, each test that needs it states the reason.
  if (process.env[urlVariable] === undefined) return
  const url = yield* temporaryDatabase
  yield* migrated(url)
  process.env[templateVariable] = new URL(url).pathname.slice(1)
})

/**
 * Creates a migrated database of each kind, and returns a function that removes them. Hundreds of tests copy these
 * instead of running every migration. For the setup of a run, after the start of its Postgres.
 */
export const openTemplates = async (): Promise<() => Promise<void>> => {
  const scope = Effect.runSync(Scope.make())
  await Effect.runPromise(Scope.provide(makeTemplates, scope))
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
