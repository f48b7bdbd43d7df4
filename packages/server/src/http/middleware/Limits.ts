import type { RateLimitRule } from "@leadloom/core/domain/access/RateLimit"
import { Context } from "effect"

/** The rate limits of requests. */
export class Limits extends Context.Service<
  Limits,
  {
    /** Tenant, configuration and admin routes, per credential. */
    readonly admin: RateLimitRule
    /** The pipeline and the standalone actions, per tenant. */
    readonly webhook: RateLimitRule
    /** Workflow actions of a CRM, per location. */
    readonly workflow: RateLimitRule
    /** Public form submissions, per network of the client. */
    readonly publicLeads: RateLimitRule
    /** Unknown credentials, per network of the client. */
    readonly badCredentials: RateLimitRule
  }
>()("server/http/middleware/Limits") {}
