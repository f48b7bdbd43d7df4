/**
 * Repositories of tenants, their configurations, credentials, billing and audit trail. Tests:
 * `packages/testkit/src/suite/tenant`, `packages/testkit/src/suite/access`, `packages/testkit/src/suite/billing`.
 */
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import {
  ConfigConflict,
  DomainTaken,
  type Tenant,
  TenantHead,
  TenantExists,
  TenantNotFound
} from "@leadloom/core/internal/domain/tenant/Tenant"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { configJson, type TenantConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { Effect, Layer, Schema } from "effect"
import { Database, type DatabaseShape } from "../../Database.ts"
import { committedRecords } from "../../sql/CommittedRecords.ts"
import { readObject } from "../../sql/Json.ts"
import { mailboxClaims } from "../conversation/MailboxClaims.ts"
import { first, type Queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

class TenantRow extends Schema.Opaque<TenantRow>()(
  Schema.Struct({
    ...TenantHead.fields,
    capActions: Schema.NullOr(Schema.Int),
    capAiCalls: Schema.NullOr(Schema.Int)
  })
) {}

const tenants = table(TenantRow, { name: "tenants", key: ["tenantId"] })

/** The maximum number of parsed configurations in memory. Every request needs the configuration of its tenant. */
const configsKept = 1_000

/**
 * Parses each configuration text once. The cache key is the text itself, so an entry stays correct even after a
 * rollback.
 */
const configCache = (): ((text: string) => TenantConfig) => {
  const kept = new Map<string, TenantConfig>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known
    if (kept.size >= configsKept) kept.clear()
    const config = configJson.complete(readObject<Partial<TenantConfig>>(text))
    kept.set(text, config)
    return config
  }
}

/** Releases the mailboxes of an archived tenant, so that other tenants may connect them. */
const releaseText = "UPDATE grant_addresses SET owned = 0 WHERE tenant_id = ?"
const archiveText = "UPDATE tenants SET archived_at = ? WHERE tenant_id = ? AND archived_at IS NULL RETURNING tenant_id"

type FoundRow = TenantRow & { readonly config: string }

const reader =
  (configOf: (text: string) => TenantConfig) =>
  ({ capActions, capAiCalls, ...row }: FoundRow): Tenant => ({
    ...row,
    capOverrides: { actions: capActions, ai_calls: capAiCalls },
    config: configOf(row.config)
  })

/** The statement that reads any version of a configuration. */
const versions = (query: Queries["query"], configOf: (text: string) => TenantConfig) => {
  const find = query<{ readonly config: string }>(
    "SELECT config FROM tenant_configs WHERE tenant_id = ? AND version = ?"
  )
  return (tenantId: string, version: number) =>
    Effect.map(find(tenantId, version), (rows) => {
      const row = first(rows)
      return row === null ? null : configOf(row.config)
    })
}

/** Writes the origins of the current configuration, by which `permitsOrigin` finds a tenant. */
const originWriter = ({ command, query }: Queries) => {
  const known = query<{ readonly origin: string }>("SELECT origin FROM session_origins WHERE tenant_id = ?")
  const remove = command("DELETE FROM session_origins WHERE tenant_id = ? AND origin = ?")
  const insert = command("INSERT INTO session_origins (tenant_id, origin) VALUES (?, ?)")
  return Effect.fnUntraced(function* (tenantId: string, origins: ReadonlyArray<string>) {
    const before = new Set((yield* known(tenantId)).map(({ origin }) => origin))
    const after = new Set(origins)
    for (const origin of before) if (!after.has(origin)) yield* remove(tenantId, origin)
    for (const origin of after) if (!before.has(origin)) yield* insert(tenantId, origin)
  })
}

/** The statement that creates a tenant. Its id and its domain are unique. */
const inserter = (database: DatabaseShape) => {
  const { query, whole } = database
  const claims = mailboxClaims(database)
  const known = query("SELECT tenant_id FROM tenants WHERE tenant_id = ?")
  const insert = query(`${tenants.insert} ON CONFLICT (tenant_id) DO NOTHING RETURNING tenant_id`)
  const insertConfig = query("INSERT INTO tenant_configs (tenant_id, version, config) VALUES (?, ?, ?)")
  const writeOrigins = originWriter(database)
  return (tenant: Tenant) =>
    whole(
      Effect.gen(function* () {
        const { domain, tenantId } = tenant
        const isTaken = domain !== null && (yield* claims.isDomainTaken({ ...tenant, domain }))
        if (domain !== null && isTaken) {
          const there = yield* known(tenantId)
          return yield* there.length > 0 ? new TenantExists({ tenantId }) : new DomainTaken({ domain })
        }
        const inserted = yield* insert(
          ...tenants.values({
            ...tenant,
            capActions: tenant.capOverrides.actions,
            capAiCalls: tenant.capOverrides.ai_calls
          })
        )
        if (inserted.length === 0) return yield* new TenantExists({ tenantId })
        yield* insertConfig(tenant.tenantId, tenant.configVersion, JSON.stringify(tenant.config))
        yield* writeOrigins(tenant.tenantId, tenant.config.sessionOrigins)
      })
    )
}

/** Fails if there is no such tenant. */
const found = (tenantId: string, tenant: Effect.Effect<Tenant | null, StoreUnavailable>) =>
  Effect.flatMap(tenant, (record) =>
    record === null ? Effect.fail(new TenantNotFound({ tenantId })) : Effect.succeed(record)
  )

/** Archives tenants and releases their mailboxes. */
const archiver = ({ command, query, whole }: Queries) => {
  const archive = query(archiveText)
  const release = command(releaseText)
  return (tenantId: string, at: number) =>
    whole(
      Effect.gen(function* () {
        const archived = yield* archive(at, tenantId)
        if (archived.length === 0) return yield* new TenantNotFound({ tenantId })
        yield* release(tenantId)
      })
    )
}

/** Restores archived tenants and their mailboxes. */
const restorer = (database: DatabaseShape) => {
  const { command, isOneOf, query, whole } = database
  const claims = mailboxClaims(database)
  const find = query<{ readonly domain: string | null; readonly archivedAt: number | null }>(
    'SELECT domain, archived_at AS "archivedAt" FROM tenants WHERE tenant_id = ?'
  )
  const addresses = query<{ readonly address: string }>("SELECT address FROM grant_addresses WHERE tenant_id = ?")
  const restore = command("UPDATE tenants SET archived_at = NULL WHERE tenant_id = ?")
  const reclaim = command(`UPDATE grant_addresses SET owned = 1 WHERE tenant_id = ? AND ${isOneOf("address")}`)
  return (tenantId: string) =>
    whole(
      Effect.gen(function* () {
        const found = first(yield* find(tenantId))
        if (found === null) return yield* new TenantNotFound({ tenantId })
        const { archivedAt, domain } = found
        if (archivedAt === null) return
        if (domain !== null && (yield* claims.isDomainTaken({ tenantId, domain }))) {
          return yield* new DomainTaken({ domain })
        }
        const own = (yield* addresses(tenantId)).map(({ address }) => address)
        const taken = new Set(yield* claims.taken(tenantId, own))
        yield* restore(tenantId)
        yield* reclaim(tenantId, JSON.stringify(own.filter((address) => !taken.has(address))))
      })
    )
}

/** Stores changed fields of active tenants. */
const updater = (database: DatabaseShape) => {
  const { query, whole } = database
  const claims = mailboxClaims(database)
  const isActive = "WHERE tenant_id = ? AND archived_at IS NULL RETURNING tenant_id"
  const update = query(
    `UPDATE tenants SET name = ?, plan = ?, cap_actions = ?, cap_ai_calls = ?, hipaa = ?, locale = ? ${isActive}`
  )
  const setDomain = query(`UPDATE tenants SET domain = ?, owns_domain = 1 ${isActive}`)
  const requireOne = (tenantId: string, updated: ReadonlyArray<unknown>) =>
    updated.length === 0 ? Effect.fail(new TenantNotFound({ tenantId })) : Effect.void
  return {
    update: ({ capOverrides, hipaa, locale, name, plan, tenantId }: Tenant) => {
      const { actions, ai_calls: aiCalls } = capOverrides
      return Effect.flatMap(update(name, plan, actions, aiCalls, hipaa ? 1 : 0, locale, tenantId), (updated) =>
        requireOne(tenantId, updated)
      )
    },
    setDomain: (tenantId: string, domain: string | null) =>
      whole(
        Effect.gen(function* () {
          if (domain !== null && (yield* claims.isDomainTaken({ tenantId, domain }))) {
            return yield* new DomainTaken({ domain })
          }
          yield* requireOne(tenantId, yield* setDomain(domain, tenantId))
        })
      )
  }
}

/** Stores a new version of a configuration, unless another request has stored one since `expectedVersion`. */
const configSaver = (database: DatabaseShape, get: Tenants["Service"]["get"]) => {
  const { query, whole } = database
  const insertConfig = query("INSERT INTO tenant_configs (tenant_id, version, config) VALUES (?, ?, ?)")
  const advance = query<{ readonly version: number }>(
    `UPDATE tenants SET config_version = config_version + 1
      WHERE tenant_id = ? AND config_version = ? AND archived_at IS NULL RETURNING config_version AS version`
  )
  const writeOrigins = originWriter(database)
  return (tenantId: string, config: TenantConfig, expectedVersion: number) =>
    whole(
      Effect.gen(function* () {
        const saved = first(yield* advance(tenantId, expectedVersion))
        if (saved === null) {
          const { configVersion } = yield* get(tenantId)
          return yield* new ConfigConflict({ currentVersion: configVersion })
        }
        yield* insertConfig(tenantId, saved.version, JSON.stringify(config))
        yield* writeOrigins(tenantId, config.sessionOrigins)
        return saved.version
      })
    )
}

/** Stores tenants and all versions of their configuration in SQL. */
export const layer: Layer.Layer<Tenants, never, Database> = Layer.effect(
  Tenants,
  Effect.map(Database, (database) => {
    const { isOneOf, query } = database
    const configOf = configCache()
    const fromRow = reader(configOf)
    const readRow = (row: FoundRow | null) => (row === null ? null : fromRow(row))
    const served = `SELECT ${tenants.columnsOf("t")}, c.config FROM tenants t
      JOIN tenant_configs c ON c.tenant_id = t.tenant_id AND c.version = t.config_version
      WHERE t.archived_at IS NULL`
    const { all, one } = tenants.reading({ query })
    const find = one<FoundRow>(`${served} AND t.tenant_id = ?`)
    const list = all<FoundRow>(`${served} ORDER BY t.tenant_id`)
    const ofDomains = all<FoundRow>(`${served} AND ${isOneOf("t.domain")}
      ORDER BY t.domain, t.owns_domain DESC, t.created_at, t.tenant_id`)
    const { changing, get: known } = committedRecords<Tenant>("tenants", database)
    const get = (tenantId: string) => found(tenantId, known(tenantId, Effect.map(find(tenantId), readRow)))
    const ofOrigin = query(`SELECT 1 FROM session_origins o JOIN tenants t ON t.tenant_id = o.tenant_id
      WHERE o.origin = ? AND t.archived_at IS NULL LIMIT 1`)
    const ping = query("SELECT 1 FROM tenants LIMIT 1")
    const saveConfig = configSaver(database, get)
    const insert = inserter(database)
    const [archive, restore] = [archiver(database), restorer(database)]
    const { setDomain, update } = updater(database)
    const page = all<FoundRow>(`${served} AND t.tenant_id > ? ORDER BY t.tenant_id LIMIT ?`)
    return Tenants.of({
      get,
      ping: Effect.asVoid(ping()),
      list: Effect.map(list(), (rows) => rows.map(fromRow)),
      ofDomains: (domains) => Effect.map(ofDomains(JSON.stringify(domains)), (rows) => rows.map(fromRow)),
      permitsOrigin: (origin) => Effect.map(ofOrigin(origin), (rows) => rows.length > 0),
      insert: (tenant) => changing(insert(tenant)),
      configAt: versions(query, configOf),
      archive: (tenantId, at) => changing(archive(tenantId, at)),
      update: (tenant) => changing(update(tenant)),
      setDomain: (tenantId, domain) => changing(setDomain(tenantId, domain)),
      restore: (tenantId) => changing(restore(tenantId)),
      page: (limit, after) => Effect.map(page(after ?? "", limit), (rows) => rows.map(fromRow)),
      saveConfig: (tenantId, config, expectedVersion) => changing(saveConfig(tenantId, config, expectedVersion))
    })
  })
)
