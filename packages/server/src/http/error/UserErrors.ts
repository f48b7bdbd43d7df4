import { Conflict, Forbidden, NotFound } from "@leadloom/api/internal/errors"
import type { SessionRoleForbidden } from "@leadloom/core/internal/domain/access/ConsoleSession"
import type { PresenceWithoutUser } from "@leadloom/core/internal/domain/conversation/Presence"
import type { AssignmentInvalid } from "@leadloom/core/internal/domain/user/Assignment"
import type { TeamExists, TeamInvalid, TeamLimitReached, TeamNotFound } from "@leadloom/core/internal/domain/user/Team"
import type {
  LastAdmin,
  UserExists,
  UserInactive,
  UserInvalid,
  UserNotFound
} from "@leadloom/core/internal/domain/user/User"
import type { SettingReserved } from "@leadloom/core/internal/workflow/tenant/ReservedSettings"
import type { SessionUserForbidden } from "@leadloom/core/internal/workflow/user/SessionUser"
import type { ReportRequestInvalid } from "@leadloom/core/internal/workflow/report/ReadReport"
import { field } from "./Field.ts"

/** Maps errors about users and teams to wire errors. */
export const userErrors = {
  UserNotFound: ({ userId }: UserNotFound) => NotFound.of(`There is no user ${userId}.`),
  UserExists: ({ email }: UserExists) =>
    Conflict.of(`Another user of the tenant already has the address ${email ?? ""}. Change that user instead.`),
  LastAdmin: (_: LastAdmin) =>
    Conflict.of("You are the only administrator. Give another user the role admin first, then repeat the request."),
  UserInactive: ({ userId }: UserInactive) =>
    Forbidden.of(`The user ${userId} is deactivated in this tenant. Ask an admin of the tenant to activate the user.`),
  AssignmentInvalid: (error: AssignmentInvalid) => field(error.field, error.reason),
  PresenceWithoutUser: (_: PresenceWithoutUser) =>
    field("x-acting-user", "Presence belongs to a user. Send X-Acting-User, or the credential of a person."),
  SessionUserForbidden: (_: SessionUserForbidden) =>
    Forbidden.of("Only the admin key and admins may create a session for another person. Omit user and user_id."),
  SessionRoleForbidden: ({ role }: SessionRoleForbidden) =>
    Forbidden.of(`Only a caller with the role ${role} may create a session with this role.`),
  SettingReserved: ({ field: name }: SettingReserved) =>
    Forbidden.of(`Only an administrator may change ${name}. Send its current value.`),
  UserInvalid: (error: UserInvalid) => field(error.field, error.reason),
  ReportRequestInvalid: (error: ReportRequestInvalid) => field(error.field, error.reason),
  TeamNotFound: ({ teamId }: TeamNotFound) => NotFound.of(`There is no team ${teamId}.`),
  TeamExists: ({ name }: TeamExists) => Conflict.of(`Another team has the name ${name}. Choose another name.`),
  TeamLimitReached: ({ limit }: TeamLimitReached) =>
    Conflict.of(`The tenant has the maximum of ${limit} teams. Delete one first.`),
  TeamInvalid: (error: TeamInvalid) => field(error.field, error.reason)
} as const
