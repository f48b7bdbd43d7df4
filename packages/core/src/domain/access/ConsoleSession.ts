import { Schema } from "effect"
import { Time } from "../Field.ts"
import { UserId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"
import { type UserRole, userRoles } from "../user/User.ts"

/**
 * The absolute limit of a console session: eight hours, a working day (OWASP Session Management Cheat Sheet). Its
 * tokens last `sessionLifetimeMillis`, which is the limit of inactivity, because only an open tab renews them.
 */
export const consoleSessionMillis = 8 * 60 * 60 * 1000

/** A session that a sign-in link starts. Unlike a session of an embedded page, it can be renewed and revoked. */
export class ConsoleSession extends Schema.Opaque<ConsoleSession>()(
  Schema.Struct({
    tenantId: Schema.String,
    /** The `jti` of all tokens of the session. */
    sessionId: Schema.String.annotate({ description: "The id of the session" }),
    userId: Schema.NullOr(UserId).annotate({
      description: "The user as whom the session acts (`usr_…`); null: it acts as no user"
    }),
    role: Schema.Literals(userRoles).annotate({
      description:
        "The role of the session. The session of a user ends when the role of the user changes or the user is deactivated"
    }),
    startedAt: Time.annotate({ description: "The time at which the link was created (ISO 8601 in UTC)" }),
    endsAt: Time.annotate({ description: "The time after which the session cannot be renewed (ISO 8601 in UTC)" }),
    revokedAt: Schema.NullOr(Time)
  })
) {}

/** Starts a session. */
export const beginConsoleSession = (
  of: Pick<ConsoleSession, "tenantId" | "sessionId" | "userId" | "role">,
  now: number
): ConsoleSession => ({ ...of, startedAt: now, endsAt: now + consoleSessionMillis, revokedAt: null })

/** The tenant has no such session that is still valid. */
export class ConsoleSessionNotFound extends TaggedError("ConsoleSessionNotFound")<{}> {}

/** The credential is not a console session, so it can be neither renewed nor ended. */
export class NotConsoleSession extends TaggedError("NotConsoleSession")<{}> {}

/** The caller may not create a session with this role. */
export class SessionRoleForbidden extends TaggedError("SessionRoleForbidden")<{ readonly role: UserRole }> {}
