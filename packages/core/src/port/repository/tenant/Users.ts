import { Context, type Effect } from "effect"
import type { User, UserExists, UserNotFound } from "../../../domain/user/User.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The users of tenants. */
export class Users extends Context.Service<
  Users,
  {
    /** Fails with `UserExists` when another user of the tenant has the address or the subject. */
    readonly insert: (user: User) => Effect.Effect<void, UserExists | StoreUnavailable>
    /** Fails with `UserNotFound` for an unknown id and for another tenant's. */
    readonly get: (tenantId: string, userId: string) => Effect.Effect<User, UserNotFound | StoreUnavailable>
    /** Returns the user to whom the ID tokens with this subject belong; null: none. */
    readonly ofSubject: (tenantId: string, subject: string) => Effect.Effect<User | null, StoreUnavailable>
    /** Returns the user with this address in lower case; null: none. */
    readonly ofEmail: (tenantId: string, email: string) => Effect.Effect<User | null, StoreUnavailable>
    /**
     * Replaces an existing user. Does nothing for an unknown user. Fails with `UserExists` when another user of the
     * tenant has the address.
     */
    readonly update: (user: User) => Effect.Effect<void, UserExists | StoreUnavailable>
    /** Returns those of the users that exist, in the order of their ids. */
    readonly some: (
      tenantId: string,
      userIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<User>, StoreUnavailable>
    /** Lists users after an id, oldest first. A null `active` lists active and deactivated users. */
    readonly page: (
      tenantId: string,
      active: boolean | null,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<User>, StoreUnavailable>
  }
>()("core/port/repository/tenant/Users") {}
