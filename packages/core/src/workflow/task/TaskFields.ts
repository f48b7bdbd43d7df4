import { Effect } from "effect"
import type { LeadId } from "../../domain/Id.ts"
import { parseRecurrence } from "../../domain/task/Recurrence.ts"
import { type Task, TaskRequestInvalid } from "../../domain/task/Task.ts"
import { wallClock } from "../../domain/time/WallClock.ts"
import type { User } from "../../domain/user/User.ts"
import { Teams } from "../../port/repository/tenant/Teams.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { requireWritableLead } from "../lead/FindLead.ts"

/** Returns the error of one invalid field. */
export const invalidField = (path: string, message: string): TaskRequestInvalid =>
  new TaskRequestInvalid({ issues: [{ path, message }] })

/** Returns the lead of a request about a contact. The lead must belong to this contact and must not be merged. */
export const requireLeadOf = Effect.fnUntraced(function* (
  { contactId, tenantId }: Pick<Task, "contactId" | "tenantId">,
  leadId: string
) {
  if (contactId === null)
    return yield* invalidField("lead_id", "A task without a contact has no lead. Send the contact of the lead.")
  const lead = yield* requireWritableLead(tenantId, leadId).pipe(
    Effect.catchTag("LeadNotFound", () =>
      invalidField("lead_id", "Unknown lead. Send the id of a lead of this contact.")
    )
  )
  if (lead.contactId !== contactId)
    return yield* invalidField("lead_id", "This lead belongs to another contact. Send a lead of the task's contact.")
  return lead.leadId satisfies LeadId
})

/** Returns the active user of a request. Fails with `TaskRequestInvalid` for another one. */
export const requireAssignee = Effect.fnUntraced(function* (tenantId: string, userId: string) {
  const user: User = yield* (yield* Users)
    .get(tenantId, userId)
    .pipe(
      Effect.catchTag("UserNotFound", () =>
        invalidField("assignee_id", "Unknown user. Send the id of a user of this tenant.")
      )
    )
  if (!user.active) return yield* invalidField("assignee_id", "This user is deactivated. Send an active user.")
  return user.userId
})

/** Returns the team of a request. Fails with `TaskRequestInvalid` for an unknown one. */
export const requireTeam = Effect.fnUntraced(function* (tenantId: string, teamId: string) {
  const team = yield* (yield* Teams)
    .get(tenantId, teamId)
    .pipe(
      Effect.catchTag("TeamNotFound", () =>
        invalidField("team_id", "Unknown team. Send the id of a team of this tenant.")
      )
    )
  return team.teamId
})

/** Returns the clock of a task: that of its assignee, or of the tenant. */
export const clockOf = Effect.fnUntraced(function* ({ assigneeId, tenantId }: Pick<Task, "assigneeId" | "tenantId">) {
  const { config } = yield* (yield* Tenants).get(tenantId)
  if (assigneeId === null) return wallClock(config.timeZone)
  const [user] = yield* (yield* Users).some(tenantId, [assigneeId])
  return wallClock(user?.timeZone ?? config.timeZone)
})

/** Returns the local minute at which a recurring task is due. Null for a task that does not recur. */
export const recurrenceMinuteOf = Effect.fnUntraced(function* (
  task: Pick<Task, "assigneeId" | "dueAt" | "recurrence" | "tenantId">
) {
  if (task.recurrence === null) return null
  if (parseRecurrence(task.recurrence) === null)
    return yield* invalidField(
      "recurrence",
      "Expected FREQ=DAILY, WEEKLY or MONTHLY, with INTERVAL (1 to 99) and BYDAY if needed, for example FREQ=WEEKLY;BYDAY=MO,TH."
    )
  if (task.dueAt === null)
    return yield* invalidField("due_at", "A recurring task needs the due time of its first occurrence.")
  return (yield* clockOf(task)).read(task.dueAt).minuteOfDay
})
