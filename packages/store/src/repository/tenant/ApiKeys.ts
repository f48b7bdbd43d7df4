import { KeyNotFound, StoredKey } from "@leadloom/core/internal/domain/access/StoredKey"
import { ApiKeys } from "@leadloom/core/internal/port/repository/tenant/ApiKeys"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { committedRecords } from "../../sql/CommittedRecords.ts"
import { table } from "../../sql/Table.ts"

const keys = table(StoredKey, { name: "api_keys", key: ["tenantId", "keyId"] })

/** Stores API keys in SQL. */
export const layer: Layer.Layer<ApiKeys, never, Database> = Layer.effect(
  ApiKeys,
  Effect.map(Database, (database) => {
    const { query } = database
    const { changing, forget, get } = committedRecords<StoredKey>("keys", database)
    const { all, one } = keys.reading({ query })
    const list = all(
      `SELECT ${keys.columns} FROM api_keys WHERE tenant_id = ? AND revoked_at IS NULL ORDER BY created_at, key_id`
    )
    const insert = query(keys.insert)
    const find = one(`SELECT ${keys.columns} FROM api_keys WHERE tenant_id = ? AND key_id = ?`)
    const byHash = one(`SELECT ${keys.columns} FROM api_keys WHERE hash = ?`)
    const update = query(
      `UPDATE api_keys SET expires_at = ?, replaced_at = ?, revoked_at = ? WHERE tenant_id = ? AND key_id = ?
        RETURNING key_id`
    )
    const noteUse = query("UPDATE api_keys SET last_used_at = ? WHERE tenant_id = ? AND key_id = ?")
    return ApiKeys.of({
      list,
      insert: (key) => Effect.asVoid(insert(...keys.values(key))),
      get: Effect.fnUntraced(function* (tenantId, keyId) {
        return (yield* find(tenantId, keyId)) ?? (yield* new KeyNotFound({ keyId }))
      }),
      noteUse: ({ hash, keyId, tenantId }, now) =>
        Effect.ensuring(Effect.asVoid(noteUse(now, tenantId, keyId)), forget(hash)),
      update: Effect.fnUntraced(function* ({ expiresAt, replacedAt, revokedAt, tenantId, keyId }) {
        const updated = yield* changing(update(expiresAt, replacedAt, revokedAt, tenantId, keyId))
        if (updated.length === 0) return yield* new KeyNotFound({ keyId })
      }),
      findByHash: (hash) => get(hash, byHash(hash))
    })
  })
)
