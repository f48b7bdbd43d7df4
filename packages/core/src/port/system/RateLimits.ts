import type { Effect } from "effect"
import { Context } from "effect"
import type { RateLimitResult, RateLimitRule } from "../../domain/access/RateLimit.ts"
import type { StoreUnavailable } from "./Transactions.ts"

/** Counters of the request limiters. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /**
     * Counts one request against a key of a tenant, for example `admin:key_01…`, at `now` (epoch milliseconds). What
     * belongs to no tenant, as the operator or an address, has null. No window of the rule's length ever holds more than
     * the rule allows, however many ask at once and wherever: servers that share a store share the counters.
     */
    readonly consume: (
      tenantId: string | null,
      key: string,
      rule: RateLimitRule,
      now: number
    ) => Effect.Effect<RateLimitResult, StoreUnavailable>
  }
>()("core/port/system/RateLimits") {}
