import { Context } from "effect"
import type { User } from "../../domain/user/User.ts"

/**
 * The user who makes the running request. Null for API keys, the admin key and workers, unless an API key names a user.
 */
export const ActingUser = Context.Reference<User | null>("core/user/ActingUser", { defaultValue: () => null })
