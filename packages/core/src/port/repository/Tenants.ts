import { Context, Effect, Layer } from "effect"
import { nearestOwners } from "../../domain/email/Mailbox.ts"
import { senderAddresses } from "../../domain/email/Grant.ts"
import { ConfigConflict, DomainTaken, type Tenant, TenantExists, TenantNotFound } from "../../domain/tenant/Tenant.ts"
import type { TenantConfig } from "../../domain/tenant/TenantConfig.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { by, keyOf, MemoryState } from "../../memory/MemoryState.ts"

/** Whether the domain of a new tenant belongs to another one, or is the nearest to an address connected there. */
const isTaken = ({ grants, tenants }: typeof MemoryState.Service, tenant: Tenant): boolean => {
  if (tenant.domain === null) return false
  const others = [...tenants.values()].filter(({ archivedAt }) => archivedAt === null)
  const connected = [...grants.values()]
    .filter(({ tenantId }) => (tenants.get(tenantId)?.archivedAt ?? null) === null)
    .flatMap(senderAddresses)
  return (
    others.some(({ domain }) => domain === tenant.domain) ||
    connected.some((email) => nearestOwners(email, [...others, tenant]).includes(tenant))
  )
}

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
>()("core/port/repository/Tenants") {
  static readonly layerMemory: Layer.Layer<Tenants> = Layer.effect(
    Tenants,
    Effect.map(MemoryState, (state) => {
      const served = (tenantId: string): Tenant | null => {
        const tenant = state.tenants.get(tenantId)
        return tenant === undefined || tenant.archivedAt !== null ? null : tenant
      }
      return Tenants.of({
        get: (tenantId) =>
          Effect.suspend(() => {
            const tenant = served(tenantId)
            return tenant === null ? Effect.fail(new TenantNotFound({ tenantId })) : Effect.succeed(tenant)
          }),
        list: Effect.sync(() =>
          [...state.tenants.values()]
            .filter(({ archivedAt }) => archivedAt === null)
            .toSorted(by(({ tenantId }) => tenantId))
        ),
        ofDomains: (domains) =>
          Effect.sync(() =>
            [...state.tenants.values()]
              .filter(({ archivedAt, domain }) => archivedAt === null && domain !== null && domains.includes(domain))
              .toSorted(by(({ domain, tenantId }) => `${domain} ${tenantId}`))
          ),
        insert: (tenant) =>
          Effect.suspend((): Effect.Effect<void, TenantExists | DomainTaken> => {
            const { domain, tenantId } = tenant
            if (state.tenants.has(tenantId)) return Effect.fail(new TenantExists({ tenantId }))
            if (domain !== null && isTaken(state, tenant)) return Effect.fail(new DomainTaken({ domain }))
            state.tenants.set(tenantId, tenant)
            state.configs.set(keyOf(tenantId, String(tenant.configVersion)), tenant.config)
            return Effect.void
          }),
        archive: (tenantId, at) =>
          Effect.suspend(() => {
            const tenant = served(tenantId)
            if (tenant === null) return Effect.fail(new TenantNotFound({ tenantId }))
            state.tenants.set(tenantId, { ...tenant, archivedAt: at })
            return Effect.void
          }),
        update: ({ capOverrides, name, plan, tenantId }) =>
          Effect.suspend(() => {
            const tenant = served(tenantId)
            if (tenant === null) return Effect.fail(new TenantNotFound({ tenantId }))
            state.tenants.set(tenantId, { ...tenant, name, plan, capOverrides })
            return Effect.void
          }),
        configAt: (tenantId, version) => Effect.sync(() => state.configs.get(keyOf(tenantId, String(version))) ?? null),
        saveConfig: (tenantId, config, expectedVersion) =>
          Effect.suspend((): Effect.Effect<number, TenantNotFound | ConfigConflict> => {
            const tenant = served(tenantId)
            if (tenant === null) return Effect.fail(new TenantNotFound({ tenantId }))
            const currentVersion = tenant.configVersion
            if (currentVersion !== expectedVersion) return Effect.fail(new ConfigConflict({ currentVersion }))
            state.tenants.set(tenantId, { ...tenant, config, configVersion: currentVersion + 1 })
            state.configs.set(keyOf(tenantId, String(currentVersion + 1)), config)
            return Effect.succeed(currentVersion + 1)
          })
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
