import type { Effect } from "effect"
import { Context } from "effect"
import type {
  ConfigConflict,
  DomainTaken,
  TenantExists,
  TenantNotFound,
  Tenant
} from "../../../domain/tenant/Tenant.ts"
import type { TenantConfig } from "../../../domain/tenant/TenantConfig.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

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
