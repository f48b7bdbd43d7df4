/**
 * The people who work with a tenant's leads, their teams, and the choice of a member for new work. Permissions of
 * credentials belong in `domain/access`, stored changes in `workflow/user`.
 * Tests: `packages/core/test/domain/user`, `packages/testkit/src/suite/user`.
 */
import { Schema } from "effect"
import { Time } from "../Field.ts"
import { UserId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"
import { WorkingHours } from "../time/WorkingHours.ts"

/** The roles of users, lowest first. */
export const userRoles = ["agent", "manager", "admin"] as const

export type UserRole = (typeof userRoles)[number]

/** The maximum number of characters in a signature. */
export const maxSignatureLength = 10_000

/** A person who works with the leads of a tenant. */
export class User extends Schema.Opaque<User>()(
  Schema.Struct({
    userId: UserId.annotate({ description: "User id (`usr_…`). Ids sort by creation time" }),
    tenantId: Schema.String,
    name: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(200)).annotate({
      description: "The display name of the person; 1 to 200 characters"
    }),
    email: Schema.NullOr(Schema.String.check(Schema.isMaxLength(320))).annotate({
      description: "The address of the person in lower case, unique among the users of a tenant; null: unknown"
    }),
    role: Schema.Literals(userRoles).annotate({
      description:
        "The role of the person in this tenant. An ID token with another role changes it; a credential's own role decides its rights"
    }),
    active: Schema.Boolean.annotate({
      description: "false: sessions and ID tokens of the person are rejected for this tenant, and no work is assigned"
    }),
    workingHours: Schema.NullOr(WorkingHours).annotate({
      description: "The periods of work, in the user's time zone; null: at any time"
    }),
    timeZone: Schema.NullOr(Schema.String.check(Schema.isMaxLength(64))).annotate({
      description: "IANA time zone, for example Europe/Berlin; null: the time zone of the tenant"
    }),
    signature: Schema.NullOr(Schema.String.check(Schema.isMaxLength(maxSignatureLength))).annotate({
      description: "The person's own signature for answers, as plain text; null: none"
    }),
    /** The `sub` of the person's ID token; null until the first use of an ID token. */
    subject: Schema.NullOr(Schema.String),
    createdAt: Time.annotate({ description: "The time at which the user was created (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** The initial fields of a user. */
export type UserBeginning = Pick<User, "userId" | "tenantId" | "name" | "email" | "role" | "subject">

/** Creates an active user without working hours. */
export const beginUser = (beginning: UserBeginning, now: number): User => ({
  ...beginning,
  active: true,
  workingHours: null,
  timeZone: null,
  signature: null,
  createdAt: now,
  updatedAt: now
})

/** The tenant has no such user. */
export class UserNotFound extends TaggedError("UserNotFound")<{ readonly userId: string }> {}

/** Another user of the tenant has this address or the same subject of ID tokens. */
export class UserExists extends TaggedError("UserExists")<{ readonly email: string | null }> {}

/** The person is deactivated in this tenant. */
export class UserInactive extends TaggedError("UserInactive")<{ readonly userId: string }> {}

/** The only active administrator may not give up the own access, because nobody could give it back. */
export class LastAdmin extends TaggedError("LastAdmin")<{}> {}

/** A field of a user is invalid. `reason` describes a valid value. */
export class UserInvalid extends TaggedError("UserInvalid")<{
  readonly field: "name" | "email" | "time_zone" | "working_hours" | "active"
  readonly reason: string
}> {}
