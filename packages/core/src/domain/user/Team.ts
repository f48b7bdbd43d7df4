import { Schema } from "effect"
import { Time } from "../Field.ts"
import { TeamId, UserId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"

/** The maximum number of teams of a tenant. */
export const maxTeams = 200

/** The maximum number of members of a team. */
export const maxTeamMembers = 500

/** A group of users to which work can be assigned. */
export class Team extends Schema.Opaque<Team>()(
  Schema.Struct({
    teamId: TeamId.annotate({ description: "Team id (`team_…`). Ids sort by creation time" }),
    tenantId: Schema.String,
    name: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(200)).annotate({
      description: "The name of the team, unique in the tenant; 1 to 200 characters"
    }),
    memberIds: Schema.Array(UserId)
      .check(Schema.isMaxLength(maxTeamMembers))
      .annotate({ description: `The ids of the members, at most ${maxTeamMembers}, sorted` }),
    /** The member who received the latest assignment by rotation; null: none yet. */
    lastAssignedId: Schema.NullOr(UserId),
    createdAt: Time.annotate({ description: "The time at which the team was created (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** The tenant has no such team. */
export class TeamNotFound extends TaggedError("TeamNotFound")<{ readonly teamId: string }> {}

/** Another team of the tenant has this name. */
export class TeamExists extends TaggedError("TeamExists")<{ readonly name: string }> {}

/** The tenant already has `maxTeams` teams. */
export class TeamLimitReached extends TaggedError("TeamLimitReached")<{ readonly limit: number }> {}

/** A field of a team is invalid. `reason` describes a valid value. */
export class TeamInvalid extends TaggedError("TeamInvalid")<{
  readonly field: "name" | "member_ids"
  readonly reason: string
}> {}
