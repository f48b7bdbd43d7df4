import { Effect, Result } from "effect"
import { done, type QueuedJob } from "../../domain/job/Job.ts"
import { CrmInstalls, CrmLocations } from "../../port/repository/crm/CrmLocations.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { OpenLocationJob } from "../../domain/crm/CrmJob.ts"
import { behaviorAfter } from "../../domain/provider/ProviderBehavior.ts"
import { retryLater } from "../provider/AfterFailure.ts"
import { type CrmInstall, agencyTenantId } from "../../domain/crm/Location.ts"
import { endInstall, storeGrant } from "./Install.ts"
import { grantFromAgency } from "./WithAccess.ts"

type Queued = QueuedJob<OpenLocationJob>

/** Returns whether the access to the location comes from an agency only. */
const isByAgency = ({ companyId, sealedRefresh }: CrmInstall): boolean => companyId !== null && sealedRefresh === ""

/** Closes a location after its agency has removed the app. */
const closeWithAgency = Effect.fnUntraced(function* ({ locationId, tenantId }: CrmInstall) {
  const installs = yield* CrmInstalls
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const install = yield* installs.get(tenantId, locationId)
      if (install === null || install.status !== "installed" || !isByAgency(install)) return
      const agency = yield* installs.get(agencyTenantId, install.companyId ?? "")
      if (agency?.status === "uninstalled") yield* endInstall(install)
    })
  )
  return done
})

/** Tries to open the location with each connected agency in turn. */
const openByAgency = Effect.fnUntraced(function* (queued: Queued) {
  const { job, tenantId } = queued
  const agencies = (yield* (yield* CrmInstalls).list(agencyTenantId)).filter(({ status }) => status === "installed")
  for (const { locationId: companyId } of agencies) {
    const answer = yield* Effect.result(grantFromAgency(companyId, job.locationId))
    if (Result.isSuccess(answer)) {
      const keep = storeGrant(tenantId, job.locationId, answer.success)
      // The location was assigned to another tenant meanwhile. That tenant has its own job.
      yield* Effect.catchTag((yield* Transactions).atomically(tenantId, keep), "LocationTaken", () => Effect.void)
      return done
    }
    const { failure } = answer
    if (failure._tag === "StoreUnavailable") return yield* failure
    if (behaviorAfter(failure) === "sign_out") continue
    return yield* retryLater(queued, failure)
  }
  return done
})

/**
 * Opens or closes a location that belongs to the tenant of the job. Opens it when a connected agency authorises it and
 * it has no installation of its own. Closes it when its agency has removed the app. Idempotent.
 */
export const openLocation = Effect.fnUntraced(function* (queued: Queued) {
  const { job, tenantId } = queued
  const mapped = yield* (yield* CrmLocations).tenantOf(job.locationId)
  if (mapped !== tenantId) return done
  const install = yield* (yield* CrmInstalls).get(tenantId, job.locationId)
  return install?.status === "installed" ? yield* closeWithAgency(install) : yield* openByAgency(queued)
})
