import { Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import type { Run } from "../../domain/run/Run.ts"
import { Batches } from "../../port/repository/pipeline/Batches.ts"
import { Runs } from "../../port/repository/pipeline/Runs.ts"
import {
  type Batch,
  batchStatus,
  countItems,
  type BatchProgress,
  type ItemProgress
} from "../../domain/tenant/Batch.ts"
import { withSpan } from "../WithSpan.ts"

/** The number of runs that are read concurrently. */
const readers = 8

const progress = (batch: Batch, counts: ReturnType<typeof countItems>): BatchProgress => ({
  batch,
  status: batchStatus(batch, counts),
  counts
})

/** Returns the progress of a batch. */
export const readBatchProgress = Effect.fnUntraced(function* (batch: Batch) {
  const [counts = countItems([])] = yield* (yield* Batches).counts(batch.tenantId, [batch.batchId])
  return progress(batch, counts)
})

/** A request of a batch with its run. The run is null as long as it has not ended, and after its erasure. */
export interface ItemResult extends ItemProgress {
  readonly run: Run | null
}

const resultOf = Effect.fnUntraced(function* ({ item, state }: ItemProgress) {
  const { signalId, tenantId } = item
  const run = signalId === null || state !== "done" ? null : yield* (yield* Runs).ofSignal(tenantId, signalId)
  const result: ItemResult = { item, state, run }
  return result
})

const readIndex = ([index]: CursorKey): number | null => (typeof index === "number" ? index : null)

/** Returns the progress of a batch, and a page of its requests in the order of the batch. */
export const readBatch = Effect.fnUntraced(function* (tenantId: string, id: string, page: PageRequest) {
  const batches = yield* Batches
  const batch = yield* batches.get(tenantId, id)
  const { items, nextCursor } = yield* readPage(
    {
      scope: { tenantId, list: "batch_items", filters: { batchId: batch.batchId } },
      fetch: (limit, after: number | null) => batches.items(tenantId, batch.batchId, limit, after),
      keyOf: ({ item }) => [item.index],
      readKey: readIndex
    },
    page
  )
  const results = yield* Effect.forEach(items, resultOf, { concurrency: readers })
  return { ...(yield* readBatchProgress(batch)), items: results, nextCursor }
}, withSpan("readBatch"))

const readId = ([id]: CursorKey): string | null => (typeof id === "string" ? id : null)

/** Returns a page of a tenant's batches, newest first. */
export const listBatches = Effect.fnUntraced(function* (tenantId: string, page: PageRequest) {
  const batches = yield* Batches
  const { items, nextCursor } = yield* readPage(
    {
      scope: { tenantId, list: "batches" },
      fetch: (limit, after: string | null) => batches.page(tenantId, limit, after),
      keyOf: ({ batchId }: Batch) => [batchId],
      readKey: readId
    },
    page
  )
  const counts = yield* batches.counts(
    tenantId,
    items.map(({ batchId }) => batchId)
  )
  return { items: items.map((batch, at) => progress(batch, counts[at] ?? countItems([]))), nextCursor }
}, withSpan("listBatches"))
