import { Clock, Effect } from "effect"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { again, done, type JobOutcome, maxJobAttempts, type QueuedJob } from "../../domain/job/Job.ts"
import { CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { CrmJob } from "../../domain/crm/CrmJob.ts"
import { type CrmFailure, type CrmNotInstalled, crmReason } from "../../domain/crm/CrmFailure.ts"
import { importCrmContact } from "./ImportCrmContact.ts"
import { abandonSync } from "./AbandonSync.ts"
import { syncContact } from "./SyncContact.ts"

type Queued = QueuedJob<CrmJob>

/** Returns the tenant and install of a job; null when the location no longer synchronises contacts. */
const wantedBy = Effect.fnUntraced(function* ({ job, tenantId }: Queued) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const install = yield* (yield* CrmInstalls).get(tenantId, job.locationId)
  if (tenant.hipaa || install === null || install.status === "uninstalled" || install.sync === "off") return null
  if (job.kind === "crm_meet" && install.sync !== "both") return null
  return { tenant, install }
})

const run = Effect.fnUntraced(function* (queued: Queued) {
  const wanted = yield* wantedBy(queued).pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  if (wanted === null) return done
  const { job, tenantId } = queued
  if (job.kind === "crm_meet") {
    yield* importCrmContact(wanted.tenant, job.locationId, job.crmContactId)
    return done
  }
  const contact = yield* resolveMergedContact(tenantId, job.contactId)
  if (contact === null || contact.contactId !== job.contactId) return done
  const brought = yield* syncContact({ ...wanted, contact, queued: { ...queued, job } })
  return brought ? done : again("the contact changed during the synchronisation", 1)
})

/** Returns the outcome of a job after a failure of the CRM. */
const failed = Effect.fnUntraced(function* (queued: Queued, failure: CrmFailure | CrmNotInstalled) {
  const reason = crmReason(failure)
  if (failure._tag === "CrmNotInstalled") return done
  if (failure._tag === "CrmUnavailable" && failure.waitMillis !== null) {
    const dueAt = (yield* Clock.currentTimeMillis) + failure.waitMillis
    return { _tag: "Later", dueAt, job: queued.job, reason } satisfies JobOutcome
  }
  // A refusal may result from a setting in the CRM, so it is retried. After the last attempt a person takes over.
  if (failure._tag !== "CrmRefused" || queued.attempts < maxJobAttempts) return again(reason)
  const { job } = queued
  if (job.kind === "crm_sync") yield* abandonSync({ ...queued, job }, reason)
  return done
})

/** Runs a job that synchronises a contact with the CRM. */
export const runCrmJob = (queued: Queued) =>
  run(queued).pipe(
    Effect.catchTags({
      CrmRefused: (failure) => failed(queued, failure),
      CrmGone: (failure) => failed(queued, failure),
      CrmUnavailable: (failure) => failed(queued, failure),
      CrmOutcomeUnknown: (failure) => failed(queued, failure),
      CrmSignedOut: (failure) => failed(queued, failure),
      CrmNotConfigured: (failure) => failed(queued, failure),
      CrmNotInstalled: (failure) => failed(queued, failure)
    })
  )
