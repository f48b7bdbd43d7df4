import { Sources } from "@leadloom/core/internal/port/repository/tenant/Sources"
import { Source, SourceExists, SourceNotFound } from "@leadloom/core/internal/domain/access/Source"
import { Effect, Layer, Schema } from "effect"
import { Database } from "../../Database.ts"
import { committedRecords } from "../../sql/CommittedRecords.ts"
import { mappedTable } from "../../sql/Table.ts"

/** An empty tenant_id means all tenants, because a key column cannot be null. */
const allTenants = ""

class SourceRow extends Schema.Opaque<SourceRow>()(Schema.Struct({ ...Source.fields, tenantId: Schema.String })) {}

const sources = mappedTable(
  SourceRow,
  { name: "sources", key: ["tenantId", "sourceId"] },
  {
    toRow: (source: Source): SourceRow => ({ ...source, tenantId: source.tenantId ?? allTenants }),
    fromRow: (row) => ({ ...row, tenantId: row.tenantId === allTenants ? null : row.tenantId })
  }
)

/** Stores sources and the hashes of their keys in SQL. */
export const layer: Layer.Layer<Sources, never, Database> = Layer.effect(
  Sources,
  Effect.map(Database, (database) => {
    const { query } = database
    const { all, one } = sources.reading({ query })
    const { changing, get } = committedRecords<Source>("sources", database)
    const insert = query(`${sources.insert} ON CONFLICT (tenant_id, source_id) DO NOTHING RETURNING source_id`)
    const list = all(`SELECT ${sources.columns} FROM sources WHERE tenant_id = ? ORDER BY created_at, source_id`)
    const remove = query("DELETE FROM sources WHERE tenant_id = ? AND source_id = ? RETURNING source_id")
    const byHash = one(`SELECT ${sources.columns} FROM sources WHERE hash = ?`)
    const usable = query("SELECT source_id FROM sources WHERE tenant_id IN (?, '') AND source_id = ? LIMIT 1")
    return Sources.of({
      insert: Effect.fnUntraced(function* (source) {
        const inserted = yield* changing(insert(...sources.values(source)))
        if (inserted.length === 0) return yield* new SourceExists({ sourceId: source.sourceId })
      }),
      list: (tenantId) => list(tenantId ?? allTenants),
      remove: Effect.fnUntraced(function* (tenantId, sourceId) {
        const removed = yield* changing(remove(tenantId ?? allTenants, sourceId))
        if (removed.length === 0) return yield* new SourceNotFound({ sourceId })
      }),
      findByHash: (hash) => get(hash, byHash(hash)),
      isConfigured: (tenantId, sourceId) => Effect.map(usable(tenantId, sourceId), (rows) => rows.length > 0)
    })
  })
)
