import { catchUp, summarize } from "@leadloom/core/internal/workflow/search/WorkSearch"
import { createTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { Effect } from "effect"
import { unmarkCopy } from "../src/admin/CopyAdmission.ts"
import { openCopyTarget } from "../src/admin/CopyTarget.ts"
import type { DatabaseUrl } from "../src/DatabaseUrl.ts"
import { dropIndexes } from "./SecondaryIndexes.ts"
import { seed } from "./Seed.ts"

/** The tenant of the mails, and its address. */
export const recipient = { tenantId: "acme", address: "sales@acme.com" }

const dayMillis = 24 * 3_600_000
/**
 * The time of the last mail: last midnight, so that a search of the last six months covers the last six months of
 * mails.
 */
export const end = Math.floor(Date.now() / dayMillis) * dayMillis

const seconds = (begun: number): number => Math.round((performance.now() - begun) / 100) / 10

/** Writes mails into an empty database, with an inbox that people have worked on or not. Returns the time in seconds. */
export const seedDatabase = Effect.fnUntraced(function* (database: DatabaseUrl, size: number, isWorked = false) {
  const begun = performance.now()
  const { target } = yield* openCopyTarget(database, { source: "letters", tables: [], resume: false })
  if (database.kind === "sqlite") yield* target.run("PRAGMA cache_size = -262144")
  const createIndexes = yield* dropIndexes(database, target)
  yield* seed(target, size, end, recipient, isWorked)
  yield* Effect.forEach(createIndexes, target.run, { discard: true })
  yield* target.settle
  yield* target.run(unmarkCopy)
  return seconds(begun)
}, Effect.scoped)

/** Creates the tenant of the mails and indexes them for search. Returns the time in seconds. */
export const indexLetters = Effect.gen(function* () {
  yield* createTenant({ tenantId: recipient.tenantId, name: "Acme", domain: "acme.com", preset: null, hipaa: false })
  const begun = performance.now()
  yield* Effect.repeat(catchUp(recipient.tenantId, "oldest"), { until: (isDone) => isDone })
  yield* Effect.repeat(summarize(recipient.tenantId), { until: (isDone) => isDone })
  return seconds(begun)
})
