import type { EventType, NewEvent } from "../webhook/Event.ts"
import type { Team } from "./Team.ts"
import type { User } from "./User.ts"

/** Builds the outbound event for a new or changed user. */
export const userEvent = (type: Extract<EventType, `user.${string}`>, user: User): NewEvent => ({
  type,
  tenantId: user.tenantId,
  data: { user_id: user.userId, name: user.name, email: user.email, role: user.role, active: user.active }
})

/** Builds the outbound event for a new, changed or deleted team. */
export const teamEvent = (type: Extract<EventType, `team.${string}`>, team: Team): NewEvent => ({
  type,
  tenantId: team.tenantId,
  data: { team_id: team.teamId, name: team.name, member_ids: team.memberIds }
})
