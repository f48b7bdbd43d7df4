import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { placeMigratedFile } from "@leadloom/testkit/MigratedFile"
import { Effect, Layer } from "effect"
import * as Store from "../src/Store.ts"

/** Returns the path of a database file in a new folder, which is removed with the scope. */
export const temporaryFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "leadloom-store-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  ),
  (folder) => join(folder, "leadloom.db")
)

/** A store on a temporary file. */
export const temporaryStore = Layer.unwrap(
  Effect.map(temporaryFile, (filename) => {
    placeMigratedFile(filename)
    return Store.layer({ url: `sqlite:${filename}` })
  })
)
