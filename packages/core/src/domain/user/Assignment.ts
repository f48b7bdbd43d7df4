import type { TeamId, UserId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"

/** The user and the team that are responsible for a lead or a conversation. */
export interface Assignment {
  readonly assigneeId: UserId | null
  readonly teamId: TeamId | null
}

/** The user or the team whose work is listed. */
export type WorkHolder = { readonly assigneeId: string } | { readonly teamId: string }

/** Returns whether two assignments name the same user and team. */
export const isSameAssignment = (one: Assignment, other: Assignment): boolean =>
  one.assigneeId === other.assigneeId && one.teamId === other.teamId

/** The user or team cannot receive work. `reason` describes a valid value. */
export class AssignmentInvalid extends TaggedError("AssignmentInvalid")<{
  readonly field: "assignee_id" | "team_id"
  readonly reason: string
}> {}
