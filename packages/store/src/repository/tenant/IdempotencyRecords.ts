import { type RequestKey, IdempotencyRecord } from "@leadloom/core/internal/domain/access/IdempotencyRecord"
import { IdempotencyRecords } from "@leadloom/core/internal/port/repository/tenant/IdempotencyRecords"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const records = table(IdempotencyRecord, {
  name: "idempotency_records",
  key: ["tenantId", "credential", "route", "key"]
})

const keyOf = ({ credential, key, route, tenantId }: RequestKey) => [tenantId, credential, route, key] as const

/** Stores requests with an idempotency key in SQL. */
export const layer: Layer.Layer<IdempotencyRecords, never, Database> = Layer.effect(
  IdempotencyRecords,
  Effect.map(Database, ({ by, command, query }) => {
    const { one } = records.reading({ query })
    const its = "tenant_id = ? AND credential = ? AND route = ? AND idempotency_key = ?"
    const find = one(`SELECT ${records.columns} FROM idempotency_records WHERE ${its}`)
    const put = command(
      `${records.insert} ON CONFLICT (tenant_id, credential, route, idempotency_key) DO UPDATE SET
        fingerprint = excluded.fingerprint, state = excluded.state, answer = excluded.answer,
        lease_until = excluded.lease_until, created_at = excluded.created_at`
    )
    const remove = command(`DELETE FROM idempotency_records WHERE ${its}`)
    const forgetAnswers = command(
      `UPDATE idempotency_records ${by("idempotency_records_state")} SET state = 'done', answer = NULL
        WHERE tenant_id = ? AND state = 'answered'`
    )
    const expire = query(
      `DELETE FROM idempotency_records WHERE tenant_id = ? AND (credential, route, idempotency_key) IN (
        SELECT credential, route, idempotency_key FROM idempotency_records
          WHERE tenant_id = ? AND created_at < ? ORDER BY created_at LIMIT ?) RETURNING state`
    )
    return IdempotencyRecords.of({
      find: (key) => find(...keyOf(key)),
      put: (record) => put(...records.values(record)),
      remove: (key) => remove(...keyOf(key)),
      forgetAnswers,
      expire: (tenantId, before, limit) => Effect.map(expire(tenantId, tenantId, before, limit), (rows) => rows.length)
    })
  })
)
