import { KeyNotFound, type StoredKey } from "@leadloom/core/domain/access/StoredKey"
import { ApiKeys } from "@leadloom/core/port/repository/tenant/ApiKeys"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readArray } from "../../sql/Json.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

interface KeyRow extends Omit<StoredKey, "scopes"> {
  readonly scopes: string | null
}

const keys = table<KeyRow>(
  "api_keys",
  {
    keyId: "key_id",
    tenantId: "tenant_id",
    name: "name",
    prefix: "prefix",
    hash: "hash",
    scopes: "scopes",
    createdAt: "created_at",
    expiresAt: "expires_at",
    replacedAt: "replaced_at",
    revokedAt: "revoked_at",
    lastUsedAt: "last_used_at"
  },
  ["tenantId", "keyId"]
)

const toRow = (key: StoredKey): KeyRow => ({
  ...key,
  scopes: key.scopes === null ? null : JSON.stringify(key.scopes)
})
const fromRow = (row: KeyRow): StoredKey => ({ ...row, scopes: row.scopes === null ? null : readArray(row.scopes) })
const firstKey = (rows: ReadonlyArray<KeyRow>): StoredKey | null => {
  const row = first(rows)
  return row === null ? null : fromRow(row)
}

/** Stores API keys in SQL. */
export const layer: Layer.Layer<ApiKeys, never, Database> = Layer.effect(
  ApiKeys,
  Effect.map(Database, ({ query }) => {
    const list = query<KeyRow>(
      `SELECT ${keys.columns} FROM api_keys WHERE tenant_id = ? AND revoked_at IS NULL ORDER BY created_at, key_id`
    )
    const insert = query(keys.insert)
    const find = query<KeyRow>(`SELECT ${keys.columns} FROM api_keys WHERE tenant_id = ? AND key_id = ?`)
    const byHash = query<KeyRow>(`SELECT ${keys.columns} FROM api_keys WHERE hash = ?`)
    const update = query(
      `UPDATE api_keys SET expires_at = ?, replaced_at = ?, revoked_at = ? WHERE tenant_id = ? AND key_id = ?
        RETURNING key_id`
    )
    const noteUse = query("UPDATE api_keys SET last_used_at = ? WHERE tenant_id = ? AND key_id = ?")
    return ApiKeys.of({
      list: (tenantId) => Effect.map(list(tenantId), (rows) => rows.map(fromRow)),
      insert: (key) => Effect.asVoid(insert(...keys.values(toRow(key)))),
      get: Effect.fnUntraced(function* (tenantId, keyId) {
        return firstKey(yield* find(tenantId, keyId)) ?? (yield* new KeyNotFound({ keyId }))
      }),
      noteUse: (tenantId, keyId, now) => Effect.asVoid(noteUse(now, tenantId, keyId)),
      update: Effect.fnUntraced(function* ({ expiresAt, replacedAt, revokedAt, tenantId, keyId }) {
        const updated = yield* update(expiresAt, replacedAt, revokedAt, tenantId, keyId)
        if (updated.length === 0) return yield* new KeyNotFound({ keyId })
      }),
      findByHash: (hash) => Effect.map(byHash(hash), firstKey)
    })
  })
)
