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

/** The tenants of this deployment and their configuration. */
export class Tenants extends Context.Service<
  Tenants,
  {
    /**
     * Fails with `DomainTaken` when another served tenant owns the domain, or has connected an address for which the
     * domain would be the nearest one.
     */
    readonly insert: (tenant: Tenant) => Effect.Effect<void, TenantExists | DomainTaken | StoreUnavailable>
    /** A served tenant; an archived one is not found. */
    readonly get: (tenantId: string) => Effect.Effect<Tenant, TenantNotFound | StoreUnavailable>
    /** Every served tenant, in order of its id. */
    readonly list: Effect.Effect<ReadonlyArray<Tenant>, StoreUnavailable>
    /**
     * The served tenants whose domain is one of these, the owner of a domain before others that have it in an older
     * database. Asked before the tenant is known.
     */
    readonly ofDomains: (domains: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Tenant>, StoreUnavailable>
    readonly archive: (tenantId: string, at: number) => Effect.Effect<void, TenantNotFound | StoreUnavailable>
    /** Writes name, plan and caps of a served tenant that has been read. */
    readonly update: (tenant: Tenant) => Effect.Effect<void, TenantNotFound | StoreUnavailable>
    /** A configuration as it was saved under a version; null: no such version, or no such tenant. Every version is kept. */
    readonly configAt: (tenantId: string, version: number) => Effect.Effect<TenantConfig | null, StoreUnavailable>
    /** Saves a configuration made from `expectedVersion` and returns the version it got. */
    readonly saveConfig: (
      tenantId: string,
      config: TenantConfig,
      expectedVersion: number
    ) => Effect.Effect<number, TenantNotFound | ConfigConflict | StoreUnavailable>
  }
>()("core/port/repository/tenant/Tenants") {}

/** Who changed the configuration of a tenant, one line for each version that was saved. */
export class ConfigChanges extends Context.Service<
  ConfigChanges,
  {
    /** Adds the line of a version; belongs into the unit of work that saves the version. */
    readonly insert: (change: ConfigChange) => Effect.Effect<void, StoreUnavailable>
    /** Newest first, of versions below `before`; null: from the newest. */
    readonly page: (
      tenantId: string,
      limit: number,
      before: number | null
    ) => Effect.Effect<ReadonlyArray<ConfigChange>, StoreUnavailable>
    /** The line of one version; null: there is none, as of the version that a tenant begins with. */
    readonly find: (tenantId: string, version: number) => Effect.Effect<ConfigChange | null, StoreUnavailable>
  }
>()("core/port/repository/tenant/Tenants/ConfigChanges") {}
