import { Effect } from "effect"
import { isId, type UserId } from "../../domain/Id.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type Assignment, AssignmentInvalid } from "../../domain/user/Assignment.ts"
import { chooseMember, isAtWork, type Strategy } from "../../domain/user/ChooseMember.ts"
import type { Team } from "../../domain/user/Team.ts"
import type { User } from "../../domain/user/User.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
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

/** Counts the open leads, conversations and tasks of users. */
const loadOf = Effect.fnUntraced(function* (tenantId: string, userIds: ReadonlyArray<UserId>) {
  const load = new Map<string, number>()
  for (const { openCounts } of [yield* Leads, yield* Conversations, yield* Tasks]) {
    for (const [userId, open] of yield* openCounts(tenantId, userIds)) load.set(userId, (load.get(userId) ?? 0) + open)
  }
  return load
})

/**
 * Chooses one of the active members of a team and remembers the choice for the rotation. Returns null when no member
 * may receive work. Runs inside the unit of work of the assignment, so concurrent choices follow each other.
 */
const chooseNext = Effect.fnUntraced(function* (
  tenant: Tenant,
  team: Team,
  active: ReadonlyArray<User>,
  { atWork, strategy }: MemberChoice,
  now: number
) {
  if (strategy === null) return null
  const { timeZone } = tenant.config
  const members = active.filter((member) => !atWork || isAtWork(member, timeZone, now)).map(({ userId }) => userId)
  const load = strategy === "least_loaded" ? yield* loadOf(tenant.tenantId, members) : new Map<string, number>()
  const chosen = chooseMember(strategy, { members, load, last: team.lastAssignedId })
  if (chosen !== null) {
    // The name does not change, so it cannot be taken.
    yield* (yield* Teams)
      .update({ ...team, lastAssignedId: chosen })
      .pipe(Effect.catchTag("TeamExists", (defect) => Effect.die(defect)))
  }
  return chosen
})

/**
 * Returns a function that gives related work of `assignees` to members of a team. Work of an active member stays with
 * this member. Other work goes to the first of these members, or else to a new choice. Runs inside a unit of work.
 */
const distribute = Effect.fnUntraced(function* (
  tenant: Tenant,
  team: Team,
  assignees: ReadonlyArray<UserId | null>,
  choice: MemberChoice,
  now: number
) {
  const active = (yield* (yield* Users).some(tenant.tenantId, team.memberIds)).filter((member) => member.active)
  const activeIds = new Set<string | null>(active.map(({ userId }) => userId))
  const holder = assignees.find((assigneeId) => activeIds.has(assigneeId))
  const chosen = holder ?? (yield* chooseNext(tenant, team, active, choice, now))
  return (assigneeId: UserId | null): UserId | null => (activeIds.has(assigneeId) ? assigneeId : chosen)
})

/**
 * Returns a function that assigns related work, such as a lead and its conversation, as a rule requests for `to`, the id
 * of a user or a team. Work that an active member of the team already has stays with this member, because rules run on
 * every message. Runs inside a unit of work.
 */
export const assignByRule = Effect.fnUntraced(function* (
  tenant: Tenant,
  work: ReadonlyArray<Assignment>,
  to: string,
  choice: MemberChoice,
  now: number
) {
  const { tenantId } = tenant
  if (isId("usr", to)) {
    const assigneeId = yield* requireAssignee(tenantId, to)
    return ({ teamId }: Assignment): Assignment => ({ assigneeId, teamId })
  }
  const team = yield* requireTeam(tenantId, to)
  const assignees = work.map(({ assigneeId }) => assigneeId)
  const memberFor = yield* distribute(tenant, team, assignees, choice, now)
  return ({ assigneeId }: Assignment): Assignment => ({ assigneeId: memberFor(assigneeId), teamId: team.teamId })
})

/**
 * Returns the user who takes over work of a team from a deactivated user: `preferred` if this is an active member of the
 * team, or else the next member in turn. Null without a team or an active member. Runs inside a unit of work.
 */
export const successorFor = Effect.fnUntraced(function* (
  tenant: Tenant,
  { teamId }: Assignment,
  preferred: UserId | null,
  now: number
) {
  if (teamId === null) return null
  const find = (yield* Teams).get(tenant.tenantId, teamId)
  const team = yield* Effect.catchTag(find, "TeamNotFound", () => Effect.succeed(null))
  if (team === null) return null
  const choice: MemberChoice = { strategy: "round_robin", atWork: false }
  return (yield* distribute(tenant, team, [preferred], choice, now))(preferred)
})
