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
import { type CrmFailure, CrmNotInstalled, crmReason } from "../../domain/crm/CrmFailure.ts"
import type { CrmInstall } from "../../domain/crm/Location.ts"
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

/** A first sync as it was read, and whom it is for. */
interface RunningSync {
  readonly tenant: Tenant
  readonly install: CrmInstall
  readonly firstSync: FirstSync
}

/** The CRM being away is no fault of ours, and says nothing of how long: it waits as after this attempt, 40 s. */
const silenceCountsAs = 4

const wait = Effect.fnUntraced(function* ({ job }: Queued, millis: number, reason: string | null) {
  const dueAt = (yield* Clock.currentTimeMillis) + millis
  return { _tag: "Later", dueAt, job: { ...job, refusals: 0 }, reason } satisfies JobOutcome
})

/** Writes down how far it has come, with what follows from it; nothing where somebody has begun it anew meanwhile. */
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

/** The next contacts of the CRM. */
const reconcileTheirs = Effect.fnUntraced(function* ({ firstSync, tenant }: RunningSync) {
  const crm = yield* Crm
  const { counts, cursor, locationId, tenantId } = firstSync
  const page = yield* withAccess(tenantId, locationId, (access) => crm.contacts(access, pageSize, cursor))
  // A list that begins anew would never end.
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

/** Our next contacts, newest first: who comes meanwhile is told of as ever. */
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

/** It is over when nothing that it has asked for waits any more, or has waited for too long. */
const finish = Effect.fnUntraced(function* (queued: Queued, { firstSync }: RunningSync, waiting: number) {
  const now = yield* Clock.currentTimeMillis
  if (waiting > 0 && now - firstSync.updatedAt < restMillis) return yield* wait(queued, recheckMillis, null)
  yield* keep(firstSync, Effect.succeed<Partial<FirstSync>>({ state: "done", finishedAt: now }))
  return done
})

/** It cannot go on: installing the app again, or switching the sync on, begins it anew. */
const stop = Effect.fnUntraced(function* ({ job, tenantId }: Queued, reason: string) {
  const firstSync = yield* (yield* CrmFirstSyncs).get(tenantId, job.locationId)
  if (firstSync?.state === "running")
    yield* keep(firstSync, Effect.succeed<Partial<FirstSync>>({ state: "stopped", reason: reason.slice(0, 500) }))
  return done
})

/** What is gone through; null: nothing is any more. */
const readRunningSync = Effect.fnUntraced(function* ({ job, tenantId }: Queued) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const install = yield* (yield* CrmInstalls).get(tenantId, job.locationId)
  const firstSync = yield* (yield* CrmFirstSyncs).get(tenantId, job.locationId)
  if (tenant.hipaa || install === null || install.sync === "off" || firstSync?.state !== "running") return null
  if (install.status === "uninstalled") return yield* new CrmNotInstalled({ locationId: job.locationId })
  return { tenant, install, firstSync } satisfies RunningSync
})

/** One page, at the pace at which contacts are brought together, and not with the last requests of the day. */
const run = Effect.fnUntraced(function* (queued: Queued) {
  const running = yield* readRunningSync(queued).pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  if (running === null) return yield* stop(queued, "the sync was switched off")
  const { job, tenantId } = queued
  const { install, firstSync } = running
  const waiting = yield* (yield* Jobs).waiting(tenantId, syncIds(job.locationId))
  if (firstSync.step === "rest") return yield* finish(queued, running, waiting)
  if (waiting > maxWaiting) return yield* wait(queued, recheckMillis, null)
  const left = yield* (yield* Crm).allowance(job.locationId)
  if (left !== null && left < minReservedRequests)
    return yield* wait(queued, tomorrowMillis, "few requests are left of what the CRM allows a day")
  if (firstSync.step === "theirs" && install.sync === "both") yield* reconcileTheirs(running)
  else yield* reconcileOurs(running)
  return yield* wait(queued, 0, null)
})

/** The CRM did not answer, or not as it should. */
const failed = Effect.fnUntraced(function* (queued: Queued, failure: CrmFailure | CrmNotInstalled) {
  const reason = crmReason(failure)
  switch (failure._tag) {
    case "CrmNotInstalled":
    case "CrmSignedOut":
      return yield* stop(queued, reason)
    case "CrmUnavailable":
      return failure.waitMillis === null
        ? again(reason, silenceCountsAs)
        : yield* wait(queued, failure.waitMillis, reason)
    case "CrmOutcomeUnknown":
    case "CrmNotConfigured":
      return again(reason, silenceCountsAs)
    case "CrmGone":
    case "CrmRefused": {
      const refusals = queued.job.refusals + 1
      if (refusals >= maxJobAttempts) return yield* stop(queued, reason)
      const dueAt = (yield* Clock.currentTimeMillis) + backoffMillis(refusals)
      return { _tag: "Later", dueAt, job: { ...queued.job, refusals }, reason } satisfies JobOutcome
    }
  }
})

/**
 * Brings the contacts of a location and ours together, one page an attempt. Only who is who is settled here, and written
 * down with how far it has come, so that whoever takes over from one that died goes on from there; what both say is
 * brought together by the same jobs as ever. It opens no lead, starts no pipeline and writes to nobody.
 */
export const runFirstSync = (queued: Queued) =>
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
