import { catchUp } from "@leadloom/core/workflow/search/WorkSearch"
import { createTenant } from "@leadloom/core/workflow/tenant/Tenants"
import { Effect } from "effect"
import { unmarkCopy } from "../src/admin/CopyAdmission.ts"
import { openCopyTarget } from "../src/admin/CopyTarget.ts"
import type { DatabaseUrl } from "../src/DatabaseUrl.ts"
import { seed } from "./Seed.ts"

/** Whose letters they are. */
export const recipient = { tenantId: "acme", address: "sales@acme.com" }

const dayMillis = 24 * 3_600_000
/** When the last letter came: this midnight, so that the last six months are the last six of the letters. */
export const end = Math.floor(Date.now() / dayMillis) * dayMillis

const seconds = (begun: number): number => Math.round((performance.now() - begun) / 100) / 10

/** Writes so many letters into a database that has nothing yet. Seconds. */
export const seedDatabase = Effect.fnUntraced(function* (database: DatabaseUrl, size: number) {
  const begun = performance.now()
  const { target } = yield* openCopyTarget(database, { source: "letters", tables: [], resume: false })
  if (database.kind === "sqlite") yield* target.run("PRAGMA cache_size = -262144")
  yield* seed(target, size, end, recipient)
  yield* target.settle
  yield* target.run(unmarkCopy)
  return seconds(begun)
}, Effect.scoped)

/** Makes the tenant of the letters, and brings them into the search index. Seconds. */
export const indexLetters = Effect.gen(function* () {
  yield* createTenant({ tenantId: recipient.tenantId, name: "Acme", domain: "acme.com", preset: null, hipaa: false })
  const begun = performance.now()
  yield* Effect.repeat(catchUp(recipient.tenantId, "oldest"), { until: (isDone) => isDone })
  return seconds(begun)
})
