import {
  type Batch,
  type BatchItem,
  BatchNotFound,
  type CountedItems,
  countItems,
  type ItemFailure,
  itemState,
  type SignalProgress
} from "@leadloom/core/domain/tenant/Batch"
import type { BatchId, SignalId } from "@leadloom/core/domain/Id"
import { Batches } from "@leadloom/core/port/repository/pipeline/Batches"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readObject } from "../../sql/Json.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const batches = table<Batch>(
  "batches",
  {
    tenantId: "tenant_id",
    batchId: "batch_id",
    idempotencyKey: "idempotency_key",
    fingerprint: "fingerprint",
    total: "total",
    createdAt: "created_at"
  },
  ["tenantId", "batchId"]
)

interface ItemRow {
  readonly tenantId: string
  readonly batchId: BatchId
  readonly index: number
  readonly status: BatchItem["status"]
  readonly signalId: SignalId | null
  readonly failure: string | null
}

const items = table<ItemRow>(
  "batch_items",
  {
    tenantId: "tenant_id",
    batchId: "batch_id",
    index: "item_index",
    status: "status",
    signalId: "signal_id",
    failure: "failure"
  },
  ["tenantId", "batchId", "index"]
)

const toRow = ({ failure, ...item }: BatchItem): ItemRow => ({
  ...item,
  failure: failure === null ? null : JSON.stringify(failure)
})

const fromRow = ({ batchId, failure, index, signalId, status, tenantId }: ItemRow): BatchItem => {
  const place = { tenantId, batchId, index }
  if (failure !== null) {
    return { ...place, status: "failed", signalId: null, failure: readObject<ItemFailure>(failure) }
  }
  return status === "accepted" && signalId !== null
    ? { ...place, status, signalId, failure }
    : { ...place, status: "duplicate", signalId, failure }
}

/** The state of a signal, joined to its batch item. */
interface Joined {
  readonly signalState: SignalProgress["state"] | null
  readonly begun: number | null
}

const progressOf = ({ begun, signalState }: Joined): SignalProgress | null =>
  signalState === null ? null : { state: signalState, begun: begun === 1 }

const signal = `s.state AS "signalState", CASE WHEN s.attempts > 0 THEN 1 ELSE 0 END AS begun`
const joined = `batch_items i LEFT JOIN signals s ON s.tenant_id = i.tenant_id AND s.signal_id = i.signal_id`

/** Sorts after every id of a batch. */
const newestId = "bat_~"

/** Stores batches of pipeline requests in SQL. */
export const layer: Layer.Layer<Batches, never, Database> = Layer.effect(
  Batches,
  Effect.map(Database, ({ command, isOneOf, query }) => {
    const insert = command(batches.insert)
    const find = query<Batch>(`SELECT ${batches.columns} FROM batches WHERE tenant_id = ? AND batch_id = ?`)
    const ofKey = query<Batch>(`SELECT ${batches.columns} FROM batches WHERE tenant_id = ? AND idempotency_key = ?`)
    const page = query<Batch>(
      `SELECT ${batches.columns} FROM batches WHERE tenant_id = ? AND batch_id < ? ORDER BY batch_id DESC LIMIT ?`
    )
    const addItem = command(items.insert)
    const hasItem = query("SELECT 1 AS one FROM batch_items WHERE tenant_id = ? AND batch_id = ? AND item_index = ?")
    const itemPage = query<ItemRow & Joined>(
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
        return first(yield* find(tenantId, batchId)) ?? (yield* new BatchNotFound({ batchId }))
      }),
      ofKey: (tenantId, key) => Effect.map(ofKey(tenantId, key), first),
      page: (tenantId, limit, before) => page(tenantId, before ?? newestId, limit),
      addItem: (item) => addItem(...items.values(toRow(item))),
      hasItem: (tenantId, batchId, index) => Effect.map(hasItem(tenantId, batchId, index), (rows) => rows.length > 0),
      items: (tenantId, batchId, limit, after) =>
        Effect.map(itemPage(tenantId, batchId, after ?? -1, limit), (rows) =>
          rows.map((row) => ({ item: fromRow(row), state: itemState(row.status, progressOf(row)) }))
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
