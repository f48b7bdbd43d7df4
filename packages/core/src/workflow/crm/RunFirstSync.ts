import { Clock, Effect } from "effect"
import { backoffMillis } from "../../domain/time/Retry.ts"
import { again, done, type JobOutcome, maxJobAttempts, type QueuedJob } from "../../domain/job/Job.ts"
import { type ContactKey, Contacts } from "../../port/repository/contact/Contacts.ts"
import { Crm } from "../../port/provider/Crm.ts"
import { CrmFirstSyncs, CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type FirstSyncJob, syncIds } from "../../domain/crm/CrmJob.ts"
import { behaviorAfter, requestedWait } from "../../domain/provider/ProviderBehavior.ts"
import type { ProviderFailure } from "../../domain/provider/ProviderFailure.ts"
import { type CrmInstall, CrmNotInstalled } from "../../domain/crm/Location.ts"
import {
  counted,
  type FirstSync,
  recheckMillis,
  maxWaiting,
  pageSize,
  minReservedRequests,
  restMillis,
  tomorrowMillis
} from "../../domain/crm/FirstSync.ts"
import { reconcileOwnContacts, reconcileCrmContacts } from "./ReconcileContacts.ts"
import { withAccess } from "./WithAccess.ts"

type Queued = QueuedJob<FirstSyncJob>

/** A running first sync with its tenant and install. */
interface RunningSync {
  readonly tenant: Tenant
  readonly install: CrmInstall
  readonly firstSync: FirstSync
}

/** An unavailable CRM gives no waiting time. The job waits as after this attempt, 40 s. */
const silenceCountsAs = 4

const wait = Effect.fnUntraced(function* ({ job }: Queued, millis: number, reason: string | null) {
  const dueAt = (yield* Clock.currentTimeMillis) + millis
  return { _tag: "Later", dueAt, job: { ...job, refusals: 0 }, reason } satisfies JobOutcome
})

/** Stores the progress together with its effects. No effect when the first sync was restarted in the meantime. */
const keep = Effect.fnUntraced(function* <E, R>(read: FirstSync, work: Effect.Effect<Partial<FirstSync>, E, R>) {
  const firstSyncs = yield* CrmFirstSyncs
  const { locationId, tenantId, version } = read
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const there = yield* firstSyncs.get(tenantId, locationId)
      if (there?.version !== version) return
      const updatedAt = yield* Clock.currentTimeMillis
      yield* firstSyncs.replace({ ...there, ...(yield* work), updatedAt }, version)
    })
  )
})

/** Reconciles the next page of CRM contacts. */
const reconcileTheirs = Effect.fnUntraced(function* ({ firstSync, tenant }: RunningSync) {
  const crm = yield* Crm
  const { counts, cursor, locationId, tenantId } = firstSync
  const page = yield* withAccess(tenantId, locationId, (access) => crm.contacts(access, pageSize, cursor))
  // A list that returns the same cursor would never end.
  const next = page.next === cursor ? null : page.next
  yield* keep(
    firstSync,
    Effect.map(reconcileCrmContacts(tenant, page.contacts), (more): Partial<FirstSync> => ({
      step: next === null ? "ours" : "theirs",
      cursor: next,
      total: page.total ?? firstSync.total,
      counts: counted(counts, more)
    }))
  )
})

const keyOf = (cursor: string | null): ContactKey | null => {
  const [createdAt = "", contactId = ""] = cursor?.split(" ") ?? []
  return cursor === null ? null : { createdAt: Number(createdAt), contactId }
}

/** Reconciles the next page of our contacts, newest first. New contacts are synchronised by their own events. */
const reconcileOurs = Effect.fnUntraced(function* ({ firstSync, install }: RunningSync) {
  const contacts = yield* Contacts
  const { counts, cursor, tenantId } = firstSync
  yield* keep(
    firstSync,
    Effect.gen(function* () {
      const page = yield* contacts.page(tenantId, pageSize, keyOf(cursor))
      const last = page.length < pageSize ? undefined : page.at(-1)
      const next: Partial<FirstSync> = {
        step: last === undefined ? "rest" : "ours",
        cursor: last === undefined ? null : `${last.createdAt} ${last.contactId}`,
        counts: counted(counts, yield* reconcileOwnContacts(install, page))
      }
      return next
    })
  )
})

/** Finishes the first sync when none of its jobs is waiting, or after the maximum wait. */
const finish = Effect.fnUntraced(function* (queued: Queued, { firstSync }: RunningSync, waiting: number) {
  const now = yield* Clock.currentTimeMillis
  if (waiting > 0 && now - firstSync.updatedAt < restMillis) return yield* wait(queued, recheckMillis, null)
  yield* keep(firstSync, Effect.succeed<Partial<FirstSync>>({ state: "done", finishedAt: now }))
  return done
})

/** Stops the first sync. A new installation, or enabling the synchronisation, starts it again. */
const stop = Effect.fnUntraced(function* ({ job, tenantId }: Queued, reason: string) {
  const firstSync = yield* (yield* CrmFirstSyncs).get(tenantId, job.locationId)
  if (firstSync?.state === "running")
    yield* keep(firstSync, Effect.succeed<Partial<FirstSync>>({ state: "stopped", reason: reason.slice(0, 500) }))
  return done
})

/** Returns the running first sync; null when there is none. */
const readRunningSync = Effect.fnUntraced(function* ({ job, tenantId }: Queued) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const install = yield* (yield* CrmInstalls).get(tenantId, job.locationId)
  const firstSync = yield* (yield* CrmFirstSyncs).get(tenantId, job.locationId)
  if (tenant.hipaa || install === null || install.sync === "off" || firstSync?.state !== "running") return null
  if (install.status === "uninstalled") return yield* new CrmNotInstalled({ locationId: job.locationId })
  return { tenant, install, firstSync } satisfies RunningSync
})

/**
 * Processes one page. Waits while too many contacts are queued, and when few requests of the CRM's daily quota are
 * left.
 */
const run = Effect.fnUntraced(function* (queued: Queued) {
  const running = yield* readRunningSync(queued).pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  if (running === null) return yield* stop(queued, "the synchronisation was switched off")
  const { job, tenantId } = queued
  const { install, firstSync } = running
  const waiting = yield* (yield* Jobs).waiting(tenantId, syncIds(job.locationId))
  if (firstSync.step === "rest") return yield* finish(queued, running, waiting)
  if (waiting > maxWaiting) return yield* wait(queued, recheckMillis, null)
  const left = yield* (yield* Crm).allowance(job.locationId)
  if (left !== null && left < minReservedRequests)
    return yield* wait(queued, tomorrowMillis, "few requests of the CRM's daily quota are left")
  if (firstSync.step === "theirs" && install.sync === "both") yield* reconcileTheirs(running)
  else yield* reconcileOurs(running)
  return yield* wait(queued, 0, null)
})

/** Returns the outcome of a job after a failure of the CRM. */
const failed = Effect.fnUntraced(function* (queued: Queued, failure: ProviderFailure) {
  const { message: reason } = failure
  switch (behaviorAfter(failure)) {
    case "sign_out":
      return yield* stop(queued, reason)
    case "retry":
    case "resolve": {
      const requested = requestedWait(failure)
      return requested === null ? again(reason, silenceCountsAs) : yield* wait(queued, requested, reason)
    }
    case "give_up": {
      const refusals = queued.job.refusals + 1
      if (refusals >= maxJobAttempts) return yield* stop(queued, reason)
      const dueAt = (yield* Clock.currentTimeMillis) + backoffMillis(refusals)
      return { _tag: "Later", dueAt, job: { ...queued.job, refusals }, reason } satisfies JobOutcome
    }
  }
})

/**
 * Reconciles the contacts of a location and of its tenant, one page per attempt. It only links contacts and stores the
 * progress, so another worker can continue after a crash. The usual jobs synchronise the fields. It opens no lead,
 * starts no pipeline and sends no message.
 */
export const runFirstSync = (queued: Queued) =>
  run(queued).pipe(
    Effect.catchTags({
      ProviderFailure: (failure) => failed(queued, failure),
      CrmNotInstalled: ({ message }) => stop(queued, message)
    })
  )
