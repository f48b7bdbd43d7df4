import { Clock, Data, Effect } from "effect"
import { CrmFirstSyncs, CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { firstSyncId } from "../../domain/crm/CrmJob.ts"
import { CrmSignedOut } from "../../domain/crm/CrmFailure.ts"
import { type CrmInstall, CrmInstallNotFound } from "../../domain/crm/Location.ts"
import { begun } from "../../domain/crm/FirstSync.ts"

/** Nothing happens to contacts of this location, so that there is nothing to bring together. */
export class CrmSyncDisabled extends Data.TaggedError("CrmSyncDisabled")<{ readonly locationId: string }> {}

/**
 * Begins to bring all contacts of a location and ours together; one that is on its way begins anew. Nothing is done for a
 * location that wants nothing. Runs inside a unit of work.
 */
export const startFirstSync = Effect.fnUntraced(function* (install: CrmInstall) {
  if (install.sync === "off") return
  const { locationId, tenantId } = install
  const [jobs, firstSyncs] = [yield* Jobs, yield* CrmFirstSyncs]
  const now = yield* Clock.currentTimeMillis
  const before = yield* firstSyncs.get(tenantId, locationId)
  if (before === null) yield* firstSyncs.insert(begun(install, 1, now))
  else yield* firstSyncs.replace(begun(install, before.version, now), before.version)
  const jobId = firstSyncId(locationId)
  const job = { kind: "crm_first_sync", locationId, refusals: 0 } as const
  // Whoever is at it finds that it has begun anew, and leaves it to who comes now.
  yield* jobs.renew({ tenantId, jobId, dueAt: now, createdAt: now, job })
  yield* jobs.hurry(tenantId, jobId, now)
})

/**
 * Brings all contacts of a location and ours together once more; one that is on its way goes on. Harmless to repeat: what
 * both know is not sent.
 */
export const resyncLocation = Effect.fn("resyncLocation")(function* (tenantId: string, locationId: string) {
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const install = yield* (yield* CrmInstalls).get(tenantId, locationId)
      if (install === null || install.status === "uninstalled") return yield* new CrmInstallNotFound({ locationId })
      if (install.sync === "off") return yield* new CrmSyncDisabled({ locationId })
      if (install.status === "signed_out")
        return yield* new CrmSignedOut({ reason: install.reason ?? "the app has to be installed again" })
      const there = yield* (yield* CrmFirstSyncs).get(tenantId, locationId)
      if (there?.state !== "running") yield* startFirstSync(install)
      return install
    })
  )
})
