/**
 * Ports to a tenant's own records: configuration, keys, sources, usage, billing and audit trail. Data about contacts
 * belongs to the other repository folders.
 * Tests: `packages/testkit/src/suite/access`, `packages/testkit/src/suite/billing`,
 * `packages/testkit/src/suite/tenant`.
 */
import { Context, type Effect } from "effect"
import type { ConfigChange } from "../../../domain/tenant/ConfigChange.ts"
import type {
  ConfigConflict,
  DomainTaken,
  Tenant,
  TenantExists,
  TenantNotFound
} from "../../../domain/tenant/Tenant.ts"
import type { TenantConfig } from "../../../domain/tenant/TenantConfig.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The tenants of this deployment and their configurations. */
export class Tenants extends Context.Service<
  Tenants,
  {
    /**
     * Stores a tenant. Fails with `DomainTaken` when another active tenant owns the domain, or has connected an address
     * that would belong to this domain.
     */
    readonly insert: (tenant: Tenant) => Effect.Effect<void, TenantExists | DomainTaken | StoreUnavailable>
    /** Returns an active tenant. Archived tenants are not found. */
    readonly get: (tenantId: string) => Effect.Effect<Tenant, TenantNotFound | StoreUnavailable>
    /** Reads a value from the database, to see whether it answers. */
    readonly ping: Effect.Effect<void, StoreUnavailable>
    /** Lists the active tenants in the order of their ids. */
    readonly list: Effect.Effect<ReadonlyArray<Tenant>, StoreUnavailable>
    /** Lists active tenants after an id, in the order of their ids. */
    readonly page: (limit: number, after: string | null) => Effect.Effect<ReadonlyArray<Tenant>, StoreUnavailable>
    /**
     * Returns the active tenants that have one of these domains. An older database may contain several tenants with the
     * same domain. Then the owner comes first. The method needs no tenant id, because intake finds the tenant by the
     * domain.
     */
    readonly ofDomains: (domains: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Tenant>, StoreUnavailable>
    /**
     * Returns whether an active tenant permits session tokens on pages of this origin. The method needs no tenant id,
     * because browsers ask for permission before they send the credential.
     */
    readonly permitsOrigin: (origin: string) => Effect.Effect<boolean, StoreUnavailable>
    readonly archive: (tenantId: string, at: number) => Effect.Effect<void, TenantNotFound | StoreUnavailable>
    /**
     * Makes an archived tenant active again, with those of its mailboxes that no other tenant has connected since. Does
     * nothing for an active tenant. Fails with `DomainTaken` like `insert`.
     */
    readonly restore: (tenantId: string) => Effect.Effect<void, TenantNotFound | DomainTaken | StoreUnavailable>
    /** Stores name, plan, caps, HIPAA status and locale of an active tenant. */
    readonly update: (tenant: Tenant) => Effect.Effect<void, TenantNotFound | StoreUnavailable>
    /** Stores the domain of an active tenant. Fails with `DomainTaken` like `insert`. */
    readonly setDomain: (
      tenantId: string,
      domain: string | null
    ) => Effect.Effect<void, TenantNotFound | DomainTaken | StoreUnavailable>
    /**
     * Returns the configuration with this version. All versions stay stored. Returns null for an unknown version or
     * tenant.
     */
    readonly configAt: (tenantId: string, version: number) => Effect.Effect<TenantConfig | null, StoreUnavailable>
    /** Saves a configuration that is based on `expectedVersion`, and returns its new version. */
    readonly saveConfig: (
      tenantId: string,
      config: TenantConfig,
      expectedVersion: number
    ) => Effect.Effect<number, TenantNotFound | ConfigConflict | StoreUnavailable>
  }
>()("core/port/repository/tenant/Tenants") {}

/** The records of configuration changes: one for each saved version, with its author. */
export class ConfigChanges extends Context.Service<
  ConfigChanges,
  {
    /** Adds the record of a configuration version. Call this in the unit of work that saves the version. */
    readonly insert: (change: ConfigChange) => Effect.Effect<void, StoreUnavailable>
    /** Lists records of versions below `before`, newest first. Null starts with the newest. */
    readonly page: (
      tenantId: string,
      limit: number,
      before: number | null
    ) => Effect.Effect<ReadonlyArray<ConfigChange>, StoreUnavailable>
    /** Returns the record of a version. Returns null when there is none. The initial version of a tenant has none. */
    readonly find: (tenantId: string, version: number) => Effect.Effect<ConfigChange | null, StoreUnavailable>
  }
>()("core/port/repository/tenant/Tenants/ConfigChanges") {}
