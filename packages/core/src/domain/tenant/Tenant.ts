/**
 * Tenants: configuration, presets, public form, batches and their limits. Changing a stored configuration belongs to
 * `workflow/tenant`.
 * Tests: `packages/core/test/domain/tenant`, `packages/testkit/src/suite/tenant`.
 */
import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { Time } from "../Field.ts"
import { type CapOverrides, plans } from "../billing/Plan.ts"
import type { TenantConfig } from "./TenantConfig.ts"

/** A tenant without its configuration and caps. */
export class TenantHead extends Schema.Opaque<TenantHead>()(
  Schema.Struct({
    tenantId: Schema.String.annotate({ description: "The id of the tenant, chosen by the operator" }),
    name: Schema.String.annotate({
      description: "The display name of the business; templates can use it as `tenant.name`"
    }),
    /** The tenant's own mail domain in lower case, or null. */
    domain: Schema.NullOr(Schema.String).annotate({
      description: "The tenant's own mail domain in lower case; null: none"
    }),
    /** True for a HIPAA tenant. No credential can use the email endpoints for such a tenant. */
    hipaa: Schema.Boolean.annotate({
      description: "true: every email endpoint answers 403 `HIPAA_RESTRICTED` for this tenant"
    }),
    /** BCP 47. */
    locale: Schema.NullOr(Schema.String).annotate({
      description: "The language and region of the business, as BCP 47 tag such as de-DE; null: not stated"
    }),
    plan: Schema.Literals(plans).annotate({ description: "The plan whose limits apply" }),
    createdAt: Time.annotate({ description: "The time at which the tenant was created (ISO 8601 in UTC)" }),
    /** Null for an active tenant. */
    archivedAt: Schema.NullOr(Time),
    /** Starts at 1 and increases by 1 with each saved configuration. */
    configVersion: Schema.Int
  })
) {}

/** One business on this deployment. The operator chooses its id, which never changes. */
export interface Tenant extends TenantHead {
  /** The tenant's own caps, which replace those of the plan. */
  readonly capOverrides: CapOverrides
  readonly config: TenantConfig
}

/** No active tenant has this id. */
export class TenantNotFound extends TaggedError("TenantNotFound")<{ readonly tenantId: string }> {}

/** An active or archived tenant already has this id. */
export class TenantExists extends TaggedError("TenantExists")<{ readonly tenantId: string }> {}

/** Another tenant owns the domain or has connected an address on it. */
export class DomainTaken extends TaggedError("DomainTaken")<{ readonly domain: string }> {}

/** Another request has saved the configuration since this request read it. */
export class ConfigConflict extends TaggedError("ConfigConflict")<{ readonly currentVersion: number }> {}

/** The expected version is not the current version of the configuration. */
export class ConfigOutdated extends TaggedError("ConfigOutdated")<{ readonly currentVersion: number }> {}

/** The tenant's configuration has no such version. */
export class ConfigVersionNotFound extends TaggedError("ConfigVersionNotFound")<{
  readonly tenantId: string
  readonly version: number
}> {}
