import { Effect } from "effect"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { again, done, type QueuedJob } from "../../domain/job/Job.ts"
import { CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { CrmJob } from "../../domain/crm/CrmJob.ts"
import type { ProviderFailure } from "../../domain/provider/ProviderFailure.ts"
import { afterFailure } from "../provider/AfterFailure.ts"
import { importCrmContact } from "./ImportCrmContact.ts"
import { abandonSync } from "./AbandonSync.ts"
import { syncContact } from "./SyncContact.ts"

type Queued = QueuedJob<CrmJob>

/** Returns the tenant and the installation of a job. Returns null when the location no longer synchronises contacts. */
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

/**
 * Ends a job that the CRM rejects, and creates a task for a person unless the job only imports. If an object is missing
 * in the CRM, the job is retried, because the object may appear later.
 */
const giveUp = Effect.fnUntraced(function* (queued: Queued, { message, reason }: ProviderFailure) {
  const { job } = queued
  if (reason._tag === "Gone") return again(message)
  if (job.kind === "crm_sync") yield* abandonSync({ ...queued, job }, message)
  return done
})

/** Runs a job that synchronises a contact with the CRM. */
export const runCrmJob = (queued: Queued) =>
  run(queued).pipe(
    Effect.catchTags({
      ProviderFailure: (failure) => afterFailure(queued, failure, giveUp(queued, failure)),
      CrmNotInstalled: () => Effect.succeed(done)
    })
  )
