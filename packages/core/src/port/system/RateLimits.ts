import type { Effect } from "effect"
import { Context } from "effect"
import type { RateLimitResult, RateLimitRule } from "../../domain/access/RateLimit.ts"
import type { StoreUnavailable } from "./Transactions.ts"

/** The counters of the request limits. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /**
     * Counts one request at `now` (epoch milliseconds) for a key of a tenant, for example `admin:key_01…`. `tenantId`
     * is null for the operator and for network addresses. In every window of the rule's length, the count of allowed
     * requests stays within the limit, even for concurrent requests. Servers that share a database share the counters.
     */
    readonly consume: (
      tenantId: string | null,
      key: string,
      rule: RateLimitRule,
      now: number
    ) => Effect.Effect<RateLimitResult, StoreUnavailable>
  }
>()("core/port/system/RateLimits") {}
