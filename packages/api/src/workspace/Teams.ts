import { maxTeamMembers, Team as Noun } from "@leadloom/core/internal/domain/user/Team"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { cursor, IdempotencyKey, nextCursor, pageSize, TenantPath, text } from "../schema/Field.ts"
import { teamId } from "../schema/Ids.ts"
import { wire } from "../schema/Wire.ts"

export const { schema: Team, toJson: teamToJson } = wire(Noun, "Team", {
  description: "A group of users to which work can be assigned",
  id: "teamId",
  omit: ["tenantId", "lastAssignedId"]
})

const name = text(200).annotate({ description: "The name of the team, unique in the tenant; 1 to 200 characters" })
const memberIds = Schema.Array(Schema.String)
  .check(Schema.isMaxLength(maxTeamMembers))
  .annotate({ description: `The ids of all members, at most ${maxTeamMembers}` })

export const CreateTeam = Schema.Struct({ name, member_ids: Schema.optionalKey(memberIds) }).annotate({
  identifier: "CreateTeam",
  description: "A new team"
})

export const UpdateTeam = Schema.Struct({
  name: Schema.optionalKey(name),
  member_ids: Schema.optionalKey(memberIds)
}).annotate({ identifier: "UpdateTeam", description: "The fields to change. Absent fields stay" })

const TeamPath = { ...TenantPath, team_id: teamId }

export const TeamsGroup = HttpApiGroup.make("teams")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/teams", {
      params: TenantPath,
      query: { limit: pageSize(100, 50), cursor },
      success: Schema.Struct({
        teams: Schema.Array(Team).annotate({ description: "The teams, oldest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "TeamPage", description: "A page of teams" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the teams of a tenant, oldest first")
      .annotate(OpenApi.Description, "A team lists deactivated members too; they receive no work.")
      .annotate(Gate, gate("teams.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/teams", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateTeam,
      success: Team.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a team")
      .annotate(OpenApi.Description, "A team with the same name is a conflict (409).")
      .annotate(Gate, gate("teams.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/teams/:team_id", {
      params: TeamPath,
      success: Team,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a team")
      .annotate(OpenApi.Description, "The members are ids of users.")
      .annotate(Gate, gate("teams.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/teams/:team_id", {
      params: TeamPath,
      payload: UpdateTeam,
      success: Team,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change the name or the members of a team")
      .annotate(OpenApi.Description, "`member_ids` replaces all members. Assigned work stays with its assignees.")
      .annotate(Gate, gate("teams.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", "/tenants/:tenant_id/teams/:team_id", {
      params: TeamPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Delete a team")
      .annotate(OpenApi.Description, "Its members stay users. Its open work loses the team and keeps its assignees.")
      .annotate(Gate, gate("teams.remove", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Teams", description: "Groups of users to which work can be assigned" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
