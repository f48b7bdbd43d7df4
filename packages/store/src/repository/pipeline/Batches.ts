import {
  Batch,
  type BatchItem,
  BatchNotFound,
  type CountedItems,
  countItems,
  type ItemFailure,
  itemState,
  type SignalProgress
} from "@leadloom/core/internal/domain/tenant/Batch"
import { unchecked } from "@leadloom/core/internal/domain/Field"
import { BatchId, SignalId } from "@leadloom/core/internal/domain/Id"
import { Batches } from "@leadloom/core/internal/port/repository/pipeline/Batches"
import { Effect, Layer, Schema } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const batches = table(Batch, { name: "batches", key: ["tenantId", "batchId"] })

/** A stored item. Its status determines which of its fields are null. */
class ItemRow extends Schema.Opaque<ItemRow>()(
  Schema.Struct({
    tenantId: Schema.String,
    batchId: BatchId,
    index: Schema.Int.annotate({ column: "item_index" }),
    status: Schema.Literals(["accepted", "duplicate", "failed"]),
    signalId: Schema.NullOr(SignalId),
    failure: Schema.NullOr(unchecked<ItemFailure>())
  })
) {}

const items = table(ItemRow, {
  name: "batch_items",
  key: ["tenantId", "batchId", "index"]
})

const itemOf = ({ batchId, failure, index, signalId, status, tenantId }: ItemRow): BatchItem => {
  const place = { tenantId, batchId, index }
  if (failure !== null) return { ...place, status: "failed", signalId: null, failure }
  return status === "accepted" && signalId !== null
    ? { ...place, status, signalId, failure }
    : { ...place, status: "duplicate", signalId, failure }
}

/** The progress of a signal, as selected with its batch item. */
interface Joined {
  readonly signalState: SignalProgress["state"] | null
  readonly begun: number | null
}

const progressOf = ({ begun, signalState }: Joined): SignalProgress | null =>
  signalState === null ? null : { state: signalState, begun: begun === 1 }

const signal = `s.state AS "signalState", CASE WHEN s.attempts > 0 THEN 1 ELSE 0 END AS begun`
const joined = `batch_items i LEFT JOIN signals s ON s.tenant_id = i.tenant_id AND s.signal_id = i.signal_id`

/** A text that sorts after every batch id. */
const newestId = "bat_~"

/** Stores batches of pipeline requests in SQL. */
export const layer: Layer.Layer<Batches, never, Database> = Layer.effect(
  Batches,
  Effect.map(Database, ({ command, isOneOf, query }) => {
    const { all, one } = batches.reading({ query })
    const insert = command(batches.insert)
    const find = one(`SELECT ${batches.columns} FROM batches WHERE tenant_id = ? AND batch_id = ?`)
    const ofKey = one(`SELECT ${batches.columns} FROM batches WHERE tenant_id = ? AND idempotency_key = ?`)
    const page = all(
      `SELECT ${batches.columns} FROM batches WHERE tenant_id = ? AND batch_id < ? ORDER BY batch_id DESC LIMIT ?`
    )
    const addItem = command(items.insert)
    const hasItem = query("SELECT 1 AS one FROM batch_items WHERE tenant_id = ? AND batch_id = ? AND item_index = ?")
    const itemPage = items.reading({ query }).all<ItemRow & Joined>(
      `SELECT ${items.columnsOf("i")}, ${signal} FROM ${joined}
        WHERE i.tenant_id = ? AND i.batch_id = ? AND i.item_index > ? ORDER BY i.item_index LIMIT ?`
    )
    const counts = query<Joined & Pick<ItemRow, "batchId" | "status"> & { readonly count: number }>(
      `SELECT i.batch_id AS "batchId", i.status AS status, ${signal}, count(*) AS count FROM ${joined}
        WHERE i.tenant_id = ? AND ${isOneOf("i.batch_id")} GROUP BY i.batch_id, i.status, s.state, begun`
    )
    return Batches.of({
      insert: (batch) => insert(...batches.values(batch)),
      get: Effect.fnUntraced(function* (tenantId, batchId) {
        return (yield* find(tenantId, batchId)) ?? (yield* new BatchNotFound({ batchId }))
      }),
      ofKey,
      page: (tenantId, limit, before) => page(tenantId, before ?? newestId, limit),
      addItem: (item) => addItem(...items.values(item)),
      hasItem: (tenantId, batchId, index) => Effect.map(hasItem(tenantId, batchId, index), (rows) => rows.length > 0),
      items: (tenantId, batchId, limit, after) =>
        Effect.map(itemPage(tenantId, batchId, after ?? -1, limit), (rows) =>
          rows.map((row) => ({ item: itemOf(row), state: itemState(row.status, progressOf(row)) }))
        ),
      counts: (tenantId, batchIds) =>
        Effect.map(counts(tenantId, JSON.stringify(batchIds)), (rows) =>
          batchIds.map((batchId) => {
            const own = rows.filter((row) => row.batchId === batchId)
            return countItems(own.map((row): CountedItems => ({ ...row, signal: progressOf(row) })))
          })
        )
    })
  })
)
