import { Clock, Effect } from "effect"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { isId, type TeamId } from "../../domain/Id.ts"
import { trimToNull } from "../../domain/text/TrimToNull.ts"
import { maxTeams, type Team, TeamInvalid, TeamLimitReached } from "../../domain/user/Team.ts"
import { teamEvent } from "../../domain/user/UserEvent.ts"
import { Teams } from "../../port/repository/tenant/Teams.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { queueRelease } from "./ReleaseWork.ts"
import { withSpan } from "../WithSpan.ts"

/** The fields of a team that a request may set. Absent fields stay. */
export interface TeamFields {
  readonly name?: string
  readonly memberIds?: ReadonlyArray<string>
}

const auditedTeam = ({ memberIds, name, teamId }: Team) => ({ team_id: teamId, name, member_ids: memberIds })

/** Returns the sorted ids of members. Fails with `TeamInvalid` when the tenant has no such user. */
const membersOf = Effect.fnUntraced(function* (tenantId: string, userIds: ReadonlyArray<string>) {
  const found = yield* (yield* Users).some(tenantId, userIds)
  const known = new Set<string>(found.map(({ userId }) => userId))
  const missing = userIds.find((userId) => !known.has(userId))
  if (missing === undefined) return found.map(({ userId }) => userId)
  return yield* new TeamInvalid({ field: "member_ids", reason: `There is no user ${missing.slice(0, 64)}.` })
})

const setTeamFields = Effect.fnUntraced(function* (team: Team, { memberIds, name }: TeamFields) {
  const trimmed = trimToNull(name ?? team.name)
  if (trimmed === null) return yield* new TeamInvalid({ field: "name", reason: "Must not be blank." })
  const members = memberIds === undefined ? team.memberIds : yield* membersOf(team.tenantId, memberIds)
  return { ...team, name: trimmed, memberIds: members }
})

/** Creates a team. Fails with `TeamExists` when another team has the name. */
export const createTeam = Effect.fnUntraced(function* (tenantId: string, fields: TeamFields) {
  const now = yield* Clock.currentTimeMillis
  const teamId = yield* (yield* Ids).next("team")
  const teams = yield* Teams
  const blank: Team = {
    teamId,
    tenantId,
    name: "",
    memberIds: [],
    lastAssignedId: null,
    createdAt: now,
    updatedAt: now
  }
  const unit = Effect.gen(function* () {
    if ((yield* teams.count(tenantId)) >= maxTeams) return yield* new TeamLimitReached({ limit: maxTeams })
    const team = yield* setTeamFields(blank, fields)
    yield* teams.insert(team)
    yield* recordEvents([teamEvent("team.created", team)], now)
    yield* recordAuditChange({ before: null, after: auditedTeam(team) })
    return team
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("createTeam"))

/** Changes the name or the members of a team. */
export const updateTeam = Effect.fnUntraced(function* (tenantId: string, teamId: string, fields: TeamFields) {
  const now = yield* Clock.currentTimeMillis
  const teams = yield* Teams
  const unit = Effect.gen(function* () {
    const before = yield* teams.get(tenantId, teamId)
    const after = yield* setTeamFields({ ...before, updatedAt: now }, fields)
    yield* teams.update(after)
    yield* recordEvents([teamEvent("team.updated", after)], now)
    yield* recordAuditChange({ before: auditedTeam(before), after: auditedTeam(after) })
    return after
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("updateTeam"))

/** Deletes a team. Its members stay users of the tenant. */
export const deleteTeam = Effect.fnUntraced(function* (tenantId: string, teamId: string) {
  const now = yield* Clock.currentTimeMillis
  const teams = yield* Teams
  const unit = Effect.gen(function* () {
    const team = yield* teams.get(tenantId, teamId)
    yield* teams.remove(tenantId, teamId)
    yield* queueRelease(tenantId, { kind: "release_team", teamId }, now)
    yield* recordEvents([teamEvent("team.deleted", team)], now)
    yield* recordAuditChange({ before: auditedTeam(team), after: null })
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("deleteTeam"))

/** Returns a page of teams, oldest first. */
export const listTeams = Effect.fnUntraced(function* (tenantId: string, page: PageRequest) {
  const teams = yield* Teams
  return yield* readPage(
    {
      scope: { tenantId, list: "teams" },
      keyOf: ({ teamId }: Team) => [teamId],
      readKey: ([teamId]): TeamId | null => (typeof teamId === "string" && isId("team", teamId) ? teamId : null),
      fetch: (limit, after) => teams.page(tenantId, limit, after)
    },
    page
  )
}, withSpan("listTeams"))
