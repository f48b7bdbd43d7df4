import type { RateLimitRule } from "@leadloom/core/domain/access/RateLimit"
import { Context } from "effect"

/** How many requests the limiters let through. */
export class Limits extends Context.Service<
  Limits,
  {
    /** Tenant, configuration and admin routes, for each credential. */
    readonly admin: RateLimitRule
    /** The pipeline and the standalone actions, for each tenant. */
    readonly webhook: RateLimitRule
    /** Workflow actions of a CRM, for each of its locations. */
    readonly workflow: RateLimitRule
    /** Public form submissions, for each address they come from. */
    readonly publicLeads: RateLimitRule
    /** Credentials that nobody here issued, for each address they come from. */
    readonly badCredentials: RateLimitRule
  }
>()("server/http/middleware/Limits") {}
