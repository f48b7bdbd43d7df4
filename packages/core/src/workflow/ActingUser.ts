import { Context, Effect } from "effect"
import type { User } from "../domain/user/User.ts"

/**
 * The user who makes the running request. Null for API keys, the admin key and workers, unless an API key names a user.
 */
export const ActingUser = Context.Reference<User | null>("core/user/ActingUser", { defaultValue: () => null })

/** The id of the acting user; null without one. */
export const actingUserId = Effect.map(ActingUser, (user) => user?.userId ?? null)

/** The acting user as records of an action store it: the id, and the name at that time. Nulls without one. */
export const actingUserRecord = Effect.map(ActingUser, (user) => ({
  userId: user?.userId ?? null,
  userName: user?.name ?? null
}))
