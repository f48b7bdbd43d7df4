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
     * whose nearest owned domain would be this one.
     */
    readonly insert: (tenant: Tenant) => Effect.Effect<void, TenantExists | DomainTaken | StoreUnavailable>
    /** Returns an active tenant. Archived tenants are not found. */
    readonly get: (tenantId: string) => Effect.Effect<Tenant, TenantNotFound | StoreUnavailable>
    /** Lists the active tenants in the order of their ids. */
    readonly list: Effect.Effect<ReadonlyArray<Tenant>, StoreUnavailable>
    /**
     * Returns the active tenants that have one of these domains. The owner of a domain comes first; an older database
     * may contain further tenants with the same domain. It needs no tenant id: intake finds the tenant with it.
     */
    readonly ofDomains: (domains: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Tenant>, StoreUnavailable>
    readonly archive: (tenantId: string, at: number) => Effect.Effect<void, TenantNotFound | StoreUnavailable>
    /** Updates name, plan and caps of an active tenant. */
    readonly update: (tenant: Tenant) => Effect.Effect<void, TenantNotFound | StoreUnavailable>
    /** Returns the configuration with this version. Null for an unknown version or tenant. All versions are kept. */
    readonly configAt: (tenantId: string, version: number) => Effect.Effect<TenantConfig | null, StoreUnavailable>
    /** Saves a configuration that is based on `expectedVersion` and returns its new version. */
    readonly saveConfig: (
      tenantId: string,
      config: TenantConfig,
      expectedVersion: number
    ) => Effect.Effect<number, TenantNotFound | ConfigConflict | StoreUnavailable>
  }
>()("core/port/repository/tenant/Tenants") {}

/** The authors of configuration changes, one record for each saved version. */
export class ConfigChanges extends Context.Service<
  ConfigChanges,
  {
    /** Adds the record of a version. Call it in the unit of work that saves the version. */
    readonly insert: (change: ConfigChange) => Effect.Effect<void, StoreUnavailable>
    /** Lists records of versions below `before`, newest first. Null starts with the newest. */
    readonly page: (
      tenantId: string,
      limit: number,
      before: number | null
    ) => Effect.Effect<ReadonlyArray<ConfigChange>, StoreUnavailable>
    /** Returns the record of a version. Null when there is none, as for a tenant's initial version. */
    readonly find: (tenantId: string, version: number) => Effect.Effect<ConfigChange | null, StoreUnavailable>
  }
>()("core/port/repository/tenant/Tenants/ConfigChanges") {}
