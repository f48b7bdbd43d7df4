import type { RateLimitRule } from "@leadloom/core/internal/domain/access/RateLimit"
import { Context } from "effect"

/** The rate limits of requests. */
export class Limits extends Context.Service<
  Limits,
  {
    /** The limit for tenant, configuration and admin routes, per credential. */
    readonly admin: RateLimitRule
    /** The limit for the pipeline and the standalone actions, per tenant. */
    readonly webhook: RateLimitRule
    /** The limit for workflow actions of a CRM, per location. */
    readonly workflow: RateLimitRule
    /** The limit for public form submissions, per network of the client. */
    readonly publicLeads: RateLimitRule
    /** The limit for unknown credentials, per network of the client. */
    readonly badCredentials: RateLimitRule
  }
>()("server/http/middleware/Limits") {}
