import { Clock, Effect } from "effect"
import { done, type JobOutcome, type QueuedJob } from "../../domain/job/Job.ts"
import type { LeadId } from "../../domain/Id.ts"
import { taskEvent } from "../../domain/task/TaskEvent.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { Assignment } from "../../domain/user/Assignment.ts"
import { holderOf, type UserJob, releasedAtOnce, releaseId } from "../../domain/user/UserJob.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordReassignment } from "../contact/RecordReassignment.ts"
import { storeConversation } from "../conversation/StoreConversation.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { successorFor } from "./AssignWork.ts"

/** Queues the release of the work of a deactivated user or deleted team. Runs inside the unit of work of the change. */
export const queueRelease = Effect.fnUntraced(function* (tenantId: string, job: UserJob, now: number) {
  yield* (yield* Jobs).renew({ tenantId, jobId: releaseId(job), dueAt: now, createdAt: now, job })
})

const reasons = { release_user: "the user was deactivated", release_team: "the team was deleted" } as const

/** Returns whether the work must still be released. A user may be active again. */
const isNeeded = Effect.fnUntraced(function* (tenantId: string, job: UserJob) {
  if (job.kind === "release_team") return true
  return yield* (yield* Users).get(tenantId, job.userId).pipe(
    Effect.map(({ active }) => !active),
    Effect.catchTag("UserNotFound", () => Effect.succeed(false))
  )
})

/** A release that runs in a unit of work. */
interface Release {
  readonly tenant: Tenant
  readonly job: UserJob
  readonly now: number
}

/** Returns the user who already handles a lead, so that the work about one lead stays together. */
const handlerOf = Effect.fnUntraced(function* (tenantId: string, leadId: LeadId | null) {
  if (leadId === null) return null
  const found = Effect.map((yield* Leads).get(tenantId, leadId), ({ assigneeId }) => assigneeId)
  return yield* Effect.catchTag(found, "LeadNotFound", () => Effect.succeed(null))
})

/** Returns the assignment of released work. The work of a user goes to another member of its team, or to nobody. */
const released = Effect.fnUntraced(function* (
  { job, now, tenant }: Release,
  before: Assignment,
  leadId: LeadId | null = null
) {
  const { assigneeId, teamId } = before
  if (job.kind === "release_team") return { assigneeId, teamId: null } satisfies Assignment
  const handler = yield* handlerOf(tenant.tenantId, leadId)
  return { teamId, assigneeId: yield* successorFor(tenant, before, handler, now) } satisfies Assignment
})

const releaseLeads = Effect.fnUntraced(function* (release: Release, limit: number) {
  const { job, now, tenant } = release
  const leads = yield* Leads
  const held = yield* leads.heldBy(tenant.tenantId, holderOf(job), limit)
  const by = { actor: "system", reason: reasons[job.kind] } as const
  return yield* Effect.forEach(held, (before) =>
    Effect.gen(function* () {
      const after = { ...before, ...(yield* released(release, before)), updatedAt: now }
      yield* leads.update(after, before)
      return yield* recordReassignment(before, after, by, now)
    })
  )
})

const releaseConversations = Effect.fnUntraced(function* (release: Release, limit: number) {
  const { job, tenant } = release
  const conversations = yield* Conversations
  const held = yield* conversations.heldBy(tenant.tenantId, holderOf(job), limit)
  return yield* Effect.forEach(yield* conversations.among(tenant.tenantId, held), (before) =>
    Effect.gen(function* () {
      const after = { ...before, ...(yield* released(release, before, before.leadId)) }
      return yield* storeConversation(tenant.tenantId, before, after, "system")
    })
  )
})

const releaseTasks = Effect.fnUntraced(function* (release: Release, limit: number) {
  const { job, now, tenant } = release
  const tasks = yield* Tasks
  const held = yield* tasks.heldBy(tenant.tenantId, holderOf(job), limit)
  return yield* Effect.forEach(held, (before) =>
    Effect.gen(function* () {
      const after = { ...before, ...(yield* released(release, before, before.leadId)), updatedAt: now }
      yield* tasks.update(after)
      return [taskEvent("task.updated", after)]
    })
  )
})

/** Releases up to `releasedAtOnce` leads, conversations and tasks. Returns their number. Runs inside a unit of work. */
const releaseSome = Effect.fnUntraced(function* (tenantId: string, job: UserJob) {
  if (!(yield* isNeeded(tenantId, job))) return 0
  const release = { tenant: yield* (yield* Tenants).get(tenantId), job, now: yield* Clock.currentTimeMillis }
  const events: Array<ReadonlyArray<NewEvent>> = []
  // Leads come first, because their new users take over the conversations and tasks about them.
  for (const each of [releaseLeads, releaseConversations, releaseTasks]) {
    if (events.length < releasedAtOnce) events.push(...(yield* each(release, releasedAtOnce - events.length)))
  }
  yield* recordEvents(events.flat(), release.now)
  return events.length
})

/** Runs one step of a release. A step that fails or is interrupted has no effect, and the job runs it again. */
export const releaseWork = Effect.fnUntraced(function* ({ job, tenantId }: QueuedJob<UserJob>) {
  const count = yield* (yield* Transactions).atomically(tenantId, releaseSome(tenantId, job)).pipe(
    // The tenant was erased after the job was queued.
    Effect.catchTag("TenantNotFound", () => Effect.succeed(0))
  )
  if (count < releasedAtOnce) return done
  return { _tag: "Later", dueAt: yield* Clock.currentTimeMillis, job, reason: null } satisfies JobOutcome
})
