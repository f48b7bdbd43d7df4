import { everySuite } from "@leadloom/testkit/suite/EverySuite"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Store from "../src/Store.ts"

/** A database in a folder of its own, which goes with it. */
const store = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "leadloom-workflow-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ),
    (folder) => Store.layer({ url: `sqlite:${join(folder, "leadloom.db")}` })
  )
)

everySuite({ name: "SQLite", store, live: store, firstSyncContacts: 1_000, billingOrders: 40 })
