import { Sources } from "@leadloom/core/port/repository/tenant/Sources"
import { type Source, SourceExists, SourceNotFound } from "@leadloom/core/domain/access/Source"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { committedRecords } from "../../sql/CommittedRecords.ts"
import { first } from "../../sql/Queries.ts"

/** An empty tenant_id means all tenants, because a key column cannot be null. */
const allTenants = ""
const columns = `nullif(tenant_id, '') AS "tenantId", source_id AS "sourceId", prefix, hash, created_at AS "createdAt"`

/** Stores sources and the hashes of their keys in SQL. */
export const layer: Layer.Layer<Sources, never, Database> = Layer.effect(
  Sources,
  Effect.map(Database, (database) => {
    const { query } = database
    const { changing, get } = committedRecords<Source>(database)
    const insert = query(
      `INSERT INTO sources (tenant_id, source_id, prefix, hash, created_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (tenant_id, source_id) DO NOTHING RETURNING source_id`
    )
    const list = query<Source>(`SELECT ${columns} FROM sources WHERE tenant_id = ? ORDER BY created_at, source_id`)
    const remove = query("DELETE FROM sources WHERE tenant_id = ? AND source_id = ? RETURNING source_id")
    const byHash = query<Source>(`SELECT ${columns} FROM sources WHERE hash = ?`)
    const usable = query("SELECT source_id FROM sources WHERE tenant_id IN (?, '') AND source_id = ? LIMIT 1")
    return Sources.of({
      insert: Effect.fnUntraced(function* ({ tenantId, sourceId, prefix, hash, createdAt }) {
        const inserted = yield* changing(insert(tenantId ?? allTenants, sourceId, prefix, hash, createdAt))
        if (inserted.length === 0) return yield* new SourceExists({ sourceId })
      }),
      list: (tenantId) => list(tenantId ?? allTenants),
      remove: Effect.fnUntraced(function* (tenantId, sourceId) {
        const removed = yield* changing(remove(tenantId ?? allTenants, sourceId))
        if (removed.length === 0) return yield* new SourceNotFound({ sourceId })
      }),
      findByHash: (hash) => get(hash, Effect.map(byHash(hash), first)),
      isConfigured: (tenantId, sourceId) => Effect.map(usable(tenantId, sourceId), (rows) => rows.length > 0)
    })
  })
)
