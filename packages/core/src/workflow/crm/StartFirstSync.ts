import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { CrmFirstSyncs, CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { firstSyncId } from "../../domain/crm/CrmJob.ts"
import { signedOut } from "../../domain/provider/ProviderFailure.ts"
import { type CrmInstall, CrmInstallNotFound } from "../../domain/crm/Location.ts"
import { begun } from "../../domain/crm/FirstSync.ts"
import { withSpan } from "../WithSpan.ts"

/** Synchronisation is disabled for the location. */
export class CrmSyncDisabled extends TaggedError("CrmSyncDisabled")<{ readonly locationId: string }> {}

/**
 * Starts the first sync of a location. A running first sync is restarted. Has no effect when synchronisation is
 * disabled. Runs inside a unit of work.
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
  // A worker that currently processes the former first sync detects the restart and stops.
  yield* jobs.renew({ tenantId, jobId, dueAt: now, createdAt: now, job })
  yield* jobs.hurry(tenantId, jobId, now)
})

/**
 * Starts the first sync of a location again, on request. A running one continues instead. A repetition is safe, because
 * unchanged values are not sent.
 */
export const resyncLocation = Effect.fnUntraced(function* (tenantId: string, locationId: string) {
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const install = yield* (yield* CrmInstalls).get(tenantId, locationId)
      if (install === null || install.status === "uninstalled") return yield* new CrmInstallNotFound({ locationId })
      if (install.sync === "off") return yield* new CrmSyncDisabled({ locationId })
      if (install.status === "signed_out")
        return yield* signedOut("crm", install.reason ?? "the app has to be installed again")
      const there = yield* (yield* CrmFirstSyncs).get(tenantId, locationId)
      if (there?.state !== "running") yield* startFirstSync(install)
      return install
    })
  )
}, withSpan("resyncLocation"))
