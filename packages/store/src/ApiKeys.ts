import { KeyNotFound, type StoredKey } from "@leadloom/core/access/StoredKey"
import { ApiKeys } from "@leadloom/core/port/ApiKeys"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { first, queries } from "./Queries.ts"
import { table } from "./Table.ts"

const keys = table<StoredKey>(
  "api_keys",
  {
    keyId: "key_id",
    tenantId: "tenant_id",
    name: "name",
    prefix: "prefix",
    hash: "hash",
    createdAt: "created_at",
    expiresAt: "expires_at",
    revokedAt: "revoked_at",
    lastUsedAt: "last_used_at"
  },
  ["tenantId", "keyId"]
)

/** API keys in SQL. */
export const layer: Layer.Layer<ApiKeys, never, SqlClient> = Layer.effect(
  ApiKeys,
  Effect.map(SqlClient, (sql) => {
    const { query } = queries(sql)
    const list = query<StoredKey>(
      `SELECT ${keys.columns} FROM api_keys WHERE tenant_id = ? AND revoked_at IS NULL ORDER BY created_at, key_id`
    )
    const insert = query(keys.insert)
    const find = query<StoredKey>(`SELECT ${keys.columns} FROM api_keys WHERE tenant_id = ? AND key_id = ?`)
    const byHash = query<StoredKey>(`SELECT ${keys.columns} FROM api_keys WHERE hash = ?`)
    const update = query(
      `UPDATE api_keys SET expires_at = ?, revoked_at = ?, last_used_at = ? WHERE tenant_id = ? AND key_id = ?
        RETURNING key_id`
    )
    return ApiKeys.of({
      list: (tenantId) => list(tenantId),
      insert: (key) => Effect.asVoid(insert(...keys.values(key))),
      get: Effect.fnUntraced(function* (tenantId, keyId) {
        return first(yield* find(tenantId, keyId)) ?? (yield* new KeyNotFound({ keyId }))
      }),
      update: Effect.fnUntraced(function* ({ expiresAt, revokedAt, lastUsedAt, tenantId, keyId }) {
        const updated = yield* update(expiresAt, revokedAt, lastUsedAt, tenantId, keyId)
        if (updated.length === 0) return yield* new KeyNotFound({ keyId })
      }),
      findByHash: (hash) => Effect.map(byHash(hash), first)
    })
  })
)
