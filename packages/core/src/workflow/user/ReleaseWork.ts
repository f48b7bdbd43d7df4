import { Clock, Effect } from "effect"
import { done, type JobOutcome, type QueuedJob } from "../../domain/job/Job.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { type UserJob, releasedAtOnce, releaseId } from "../../domain/user/UserJob.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordReassignment } from "../contact/RecordReassignment.ts"
import { recordEvents } from "../webhook/Outbox.ts"

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

/** Releases up to `releasedAtOnce` leads, and returns their number. Runs inside a unit of work. */
const releaseLeads = Effect.fnUntraced(function* (tenantId: string, job: UserJob) {
  if (!(yield* isNeeded(tenantId, job))) return 0
  const now = yield* Clock.currentTimeMillis
  const leads = yield* Leads
  const holder = job.kind === "release_user" ? { assigneeId: job.userId } : { teamId: job.teamId }
  const held = yield* leads.openOf(tenantId, holder, releasedAtOnce)
  const events: Array<NewEvent> = []
  for (const before of held) {
    const released = job.kind === "release_user" ? { assigneeId: null } : { teamId: null }
    const after = { ...before, ...released, updatedAt: now }
    yield* leads.update(after, before)
    const by = { actor: "system", reason: reasons[job.kind] } as const
    events.push(...(yield* recordReassignment(before, after, by, now)))
  }
  yield* recordEvents(events, now)
  return held.length
})

/** Runs one step of a release. The leads stay with their team, or become unassigned. */
export const releaseWork = Effect.fnUntraced(function* ({ job, tenantId }: QueuedJob<UserJob>) {
  const released = yield* (yield* Transactions).atomically(tenantId, releaseLeads(tenantId, job))
  if (released < releasedAtOnce) return done
  return { _tag: "Later", dueAt: yield* Clock.currentTimeMillis, job, reason: null } satisfies JobOutcome
})
