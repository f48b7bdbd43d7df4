import { Data } from "effect"
import type { CapOverrides, Plan } from "../billing/Plan.ts"
import type { TenantConfig } from "./TenantConfig.ts"

/** One business on this deployment. Its id is chosen by the operator and never changes. */
export interface Tenant {
  readonly tenantId: string
  readonly name: string
  /** The domain whose addresses are the tenant's own; lower case. Null when the tenant has none. */
  readonly domain: string | null
  /** Email is closed to a HIPAA tenant, whatever the credential. */
  readonly hipaa: boolean
  readonly plan: Plan
  /** Caps of its own in place of the plan's. */
  readonly capOverrides: CapOverrides
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Epoch milliseconds; null while the tenant is served. */
  readonly archivedAt: number | null
  readonly config: TenantConfig
  /** Counts up by one with every saved configuration, from 1. */
  readonly configVersion: number
}

/** No tenant of that id is served here. */
export class TenantNotFound extends Data.TaggedError("TenantNotFound")<{ readonly tenantId: string }> {}

/** The id is taken, by a served or an archived tenant. */
export class TenantExists extends Data.TaggedError("TenantExists")<{ readonly tenantId: string }> {}

/** Another tenant owns the domain, or has connected an address on it. */
export class DomainTaken extends Data.TaggedError("DomainTaken")<{ readonly domain: string }> {}

/** The configuration was saved by somebody else in between. */
export class ConfigConflict extends Data.TaggedError("ConfigConflict")<{ readonly currentVersion: number }> {}

/** The configuration is at another version than the one that was to be changed. */
export class ConfigOutdated extends Data.TaggedError("ConfigOutdated")<{ readonly currentVersion: number }> {}

/** There is no such version of the configuration. */
export class ConfigVersionNotFound extends Data.TaggedError("ConfigVersionNotFound")<{
  readonly tenantId: string
  readonly version: number
}> {}
