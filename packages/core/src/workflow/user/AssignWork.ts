import { Effect } from "effect"
import { isId, type UserId } from "../../domain/Id.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type Assignment, AssignmentInvalid } from "../../domain/user/Assignment.ts"
import { chooseMember, isAtWork, type Strategy } from "../../domain/user/ChooseMember.ts"
import type { Team } from "../../domain/user/Team.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Teams } from "../../port/repository/tenant/Teams.ts"
import { Users } from "../../port/repository/tenant/Users.ts"

const invalid = (field: "assignee_id" | "team_id", reason: string) => new AssignmentInvalid({ field, reason })

const requireAssignee = Effect.fnUntraced(function* (tenantId: string, userId: string) {
  const unknown = () => invalid("assignee_id", "The tenant has no such user.")
  const user = yield* (yield* Users).get(tenantId, userId).pipe(Effect.catchTag("UserNotFound", unknown))
  return user.active ? user.userId : yield* invalid("assignee_id", "The user is deactivated.")
})

const requireTeam = Effect.fnUntraced(function* (tenantId: string, teamId: string) {
  const unknown = () => invalid("team_id", "The tenant has no such team.")
  return yield* (yield* Teams).get(tenantId, teamId).pipe(Effect.catchTag("TeamNotFound", unknown))
})

/** The assignment that a request asks for. Absent fields stay; null removes a value. */
export interface AssignmentChange {
  readonly assigneeId?: string | null
  readonly teamId?: string | null
}

/**
 * Returns the changed assignment. Fails with `AssignmentInvalid` for an unknown user or team, and for a deactivated
 * user. A value that does not change is not checked.
 */
export const changeAssignment = Effect.fnUntraced(function* (
  tenantId: string,
  before: Assignment,
  { assigneeId = before.assigneeId, teamId = before.teamId }: AssignmentChange
) {
  const isSameUser = assigneeId === null || assigneeId === before.assigneeId
  const isSameTeam = teamId === null || teamId === before.teamId
  const after: Assignment = {
    assigneeId: isSameUser
      ? assigneeId === null
        ? null
        : before.assigneeId
      : yield* requireAssignee(tenantId, assigneeId),
    teamId: isSameTeam ? (teamId === null ? null : before.teamId) : (yield* requireTeam(tenantId, teamId)).teamId
  }
  return after
})

/** How a rule chooses a member of a team. */
export interface MemberChoice {
  /** Null: the team receives the work without a member. */
  readonly strategy: Strategy | null
  /** True: only members who are at work now. */
  readonly atWork: boolean
}

/** Returns the active members of a team who may receive work now, in the order of their ids. */
const candidatesOf = Effect.fnUntraced(function* (tenant: Tenant, team: Team, { atWork }: MemberChoice, now: number) {
  const members = yield* (yield* Users).some(tenant.tenantId, team.memberIds)
  const { timeZone } = tenant.config
  return members.filter((member) => member.active && (!atWork || isAtWork(member, timeZone, now)))
})

/**
 * Chooses a member of a team and remembers the choice for the rotation. Returns null when no member may receive work.
 * Runs inside the unit of work of the assignment, so concurrent choices follow each other.
 */
const takeMember = Effect.fnUntraced(function* (tenant: Tenant, team: Team, choice: MemberChoice, now: number) {
  if (choice.strategy === null) return null
  const members = (yield* candidatesOf(tenant, team, choice, now)).map(({ userId }) => userId)
  const load =
    choice.strategy === "least_loaded"
      ? yield* (yield* Leads).openCounts(tenant.tenantId, members)
      : new Map<string, number>()
  const chosen = chooseMember(choice.strategy, { members, load, last: team.lastAssignedId })
  if (chosen !== null) {
    // The name does not change, so it cannot be taken.
    yield* (yield* Teams)
      .update({ ...team, lastAssignedId: chosen })
      .pipe(Effect.catchTag("TeamExists", (defect) => Effect.die(defect)))
  }
  return chosen
})

/**
 * Returns the assignment that a rule requests for `to`, the id of a user or a team. Work that a member of the team
 * already has stays with this member, because rules run on every message. Runs inside a unit of work.
 */
export const assignByRule = Effect.fnUntraced(function* (
  tenant: Tenant,
  before: Assignment,
  to: string,
  choice: MemberChoice,
  now: number
) {
  const { tenantId } = tenant
  if (isId("usr", to)) {
    const assigneeId: UserId = yield* requireAssignee(tenantId, to)
    return { ...before, assigneeId } satisfies Assignment
  }
  const team = yield* requireTeam(tenantId, to)
  const { assigneeId } = before
  if (assigneeId !== null && team.memberIds.includes(assigneeId)) {
    return { assigneeId, teamId: team.teamId } satisfies Assignment
  }
  return { assigneeId: yield* takeMember(tenant, team, choice, now), teamId: team.teamId } satisfies Assignment
})
