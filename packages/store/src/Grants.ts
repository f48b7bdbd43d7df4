import { ConnectionExists, type Grant, GrantNotFound } from "@leadloom/core/email/Grant"
import { Grants } from "@leadloom/core/port/Grants"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readArray } from "./Json.ts"
import { first, queries } from "./Queries.ts"
import { table } from "./Table.ts"

interface GrantRow extends Omit<Grant, "aliases"> {
  readonly aliases: string
}

const grants = table<GrantRow>(
  "grants",
  {
    tenantId: "tenant_id",
    grantId: "grant_id",
    provider: "provider",
    email: "email",
    name: "name",
    status: "status",
    createdAt: "created_at",
    updatedAt: "updated_at",
    aliases: "aliases",
    signature: "signature"
  },
  ["tenantId", "grantId"]
)

const toRow = (grant: Grant): GrantRow => ({ ...grant, aliases: JSON.stringify(grant.aliases) })
const fromRow = (row: GrantRow): Grant => ({ ...row, aliases: readArray(row.aliases) })

/** Connected email accounts in SQL. */
export const layer: Layer.Layer<Grants, never, SqlClient> = Layer.effect(
  Grants,
  Effect.map(SqlClient, (sql) => {
    const { query, whole } = queries(sql)
    const insert = query(`${grants.insert} ON CONFLICT (tenant_id) DO NOTHING RETURNING grant_id`)
    const find = query<GrantRow>(`SELECT ${grants.columns} FROM grants WHERE tenant_id = ?`)
    const update = query(grants.update)
    const remove = query("DELETE FROM grants WHERE tenant_id = ? AND grant_id = ? RETURNING grant_id")
    const current = (tenantId: string) =>
      Effect.map(find(tenantId), (rows) => {
        const row = first(rows)
        return row === null ? null : fromRow(row)
      })
    return Grants.of({
      insert: (grant) =>
        whole(
          Effect.gen(function* () {
            const inserted = yield* insert(...grants.values(toRow(grant)))
            if (inserted.length > 0) return
            const there = yield* current(grant.tenantId)
            return yield* new ConnectionExists(there ?? grant)
          })
        ),
      current,
      update: Effect.fnUntraced(function* (grant) {
        const updated = yield* update(...grants.changes(toRow(grant)))
        if (updated.length === 0) return yield* new GrantNotFound({ grantId: grant.grantId })
      }),
      remove: Effect.fnUntraced(function* (tenantId, grantId) {
        const removed = yield* remove(tenantId, grantId)
        if (removed.length === 0) return yield* new GrantNotFound({ grantId })
      })
    })
  })
)
