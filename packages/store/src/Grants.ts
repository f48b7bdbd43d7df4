import { ConnectionExists, type Grant, GrantNotFound, senderAddresses } from "@leadloom/core/email/account/Grant"
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
    providerGrantId: "provider_grant_id",
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
    const { command, isOneOf, items, query, whole } = queries(sql)
    const insert = query(`${grants.insert} ON CONFLICT (tenant_id) DO NOTHING RETURNING grant_id`)
    const find = query<GrantRow>(`SELECT ${grants.columns} FROM grants WHERE tenant_id = ?`)
    const ofProvider = query<GrantRow>(
      `SELECT ${grants.columns} FROM grants WHERE provider_grant_id = ? ORDER BY tenant_id`
    )
    const update = query(grants.update)
    const remove = query("DELETE FROM grants WHERE tenant_id = ? AND grant_id = ? RETURNING grant_id")
    const holders = query<{ readonly tenantId: string }>(
      `SELECT tenant_id AS "tenantId" FROM grant_addresses WHERE address = ? ORDER BY tenant_id`
    )
    const list = command(
      `INSERT INTO grant_addresses (tenant_id, address) SELECT ?, item.value FROM ${items} WHERE true
        ON CONFLICT (tenant_id, address) DO NOTHING`
    )
    const unlist = command(`DELETE FROM grant_addresses WHERE tenant_id = ? AND ${isOneOf("address")}`)
    /** Writes down which addresses the connected account of a tenant has now, and which it had. */
    const relist = (tenantId: string, before: Grant | null, after: Grant | null) =>
      Effect.gen(function* () {
        if (before !== null) yield* unlist(tenantId, JSON.stringify(senderAddresses(before)))
        if (after !== null) yield* list(tenantId, JSON.stringify(senderAddresses(after)))
      })
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
            if (inserted.length > 0) return yield* relist(grant.tenantId, null, grant)
            const there = yield* current(grant.tenantId)
            return yield* new ConnectionExists(there ?? grant)
          })
        ),
      current,
      holders: (address) => Effect.map(holders(address), (rows) => rows.map(({ tenantId }) => tenantId)),
      ofProvider: (providerGrantId) => Effect.map(ofProvider(providerGrantId), (rows) => rows.map(fromRow)),
      update: (grant) =>
        whole(
          Effect.gen(function* () {
            const before = yield* current(grant.tenantId)
            const updated = yield* update(...grants.changes(toRow(grant)))
            if (updated.length === 0) return yield* new GrantNotFound({ grantId: grant.grantId })
            yield* relist(grant.tenantId, before, grant)
          })
        ),
      remove: (tenantId, grantId) =>
        whole(
          Effect.gen(function* () {
            const before = yield* current(tenantId)
            const removed = yield* remove(tenantId, grantId)
            if (removed.length === 0) return yield* new GrantNotFound({ grantId })
            yield* relist(tenantId, before, null)
          })
        )
    })
  })
)
