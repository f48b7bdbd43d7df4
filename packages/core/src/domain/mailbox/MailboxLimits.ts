import type { RateLimitRule, RateLimitResult } from "../access/RateLimit.ts"
import { TaggedError } from "../TaggedError.ts"

const hourMillis = 3_600_000

/** The login attempts of a tenant. More would help to guess passwords or to scan hosts. */
export const tenantLoginRate: RateLimitRule = { limit: 20, windowMillis: hourMillis }

/** The login attempts of a tenant for one address. */
export const addressLoginRate: RateLimitRule = { limit: 10, windowMillis: hourMillis }

/** The searches for the mail servers of an address. Each one sends up to 10 requests. */
export const discoveryRate: RateLimitRule = { limit: 60, windowMillis: hourMillis }

/** The tenant has used its login attempts or its searches for servers. */
export class MailboxAttemptsReached extends TaggedError("MailboxAttemptsReached")<{ readonly rate: RateLimitResult }> {}

/** No mail servers were found for an address. */
export class MailServersNotFound extends TaggedError("MailServersNotFound")<{ readonly email: string }> {}

/** The maximum lengths of the fields of a login, in characters. */
export const maxUsernameLength = 320
export const maxPasswordLength = 1_024
export const maxHostLength = 255
