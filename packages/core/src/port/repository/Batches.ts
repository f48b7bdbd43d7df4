import { Context, Effect, Layer } from "effect"
import {
  type Batch,
  type BatchCounts,
  type BatchItem,
  BatchNotFound,
  countItems,
  itemState,
  type SignalStanding,
  type StandingItem
} from "../../domain/tenant/Batch.ts"
import type { BatchId } from "../../domain/Id.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

/** Batches of requests, and what became of each request. */
export class Batches extends Context.Service<
  Batches,
  {
    /** A new batch; its key is nobody else's yet. */
    readonly insert: (batch: Batch) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, batchId: string) => Effect.Effect<Batch, BatchNotFound | StoreUnavailable>
    /** The batch that came under a key of its caller, or null. */
    readonly ofKey: (tenantId: string, idempotencyKey: string) => Effect.Effect<Batch | null, StoreUnavailable>
    /** Batches of a tenant, newest first, older than `before`; null: from the newest on. */
    readonly page: (
      tenantId: string,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<Batch>, StoreUnavailable>
    readonly addItem: (item: BatchItem) => Effect.Effect<void, StoreUnavailable>
    readonly hasItem: (tenantId: string, batchId: BatchId, index: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Requests of a batch as they stand, in their order, after the one at `after`; null: from the first on. */
    readonly items: (
      tenantId: string,
      batchId: BatchId,
      limit: number,
      after: number | null
    ) => Effect.Effect<ReadonlyArray<StandingItem>, StoreUnavailable>
    /** How far each of these batches has come, in their order. */
    readonly counts: (
      tenantId: string,
      batchIds: ReadonlyArray<BatchId>
    ) => Effect.Effect<ReadonlyArray<BatchCounts>, StoreUnavailable>
  }
>()("core/port/repository/Batches") {
  static readonly layerMemory: Layer.Layer<Batches> = Layer.effect(
    Batches,
    Effect.map(MemoryState, (state) => {
      const standing = ({ signalId, tenantId }: BatchItem): SignalStanding | null => {
        const queued = signalId === null ? undefined : state.signals.get(keyOf(tenantId, signalId))
        return queued === undefined ? null : { state: queued.state, begun: queued.signal.attempts > 0 }
      }
      const itemsOf = (tenantId: string, batchId: string): ReadonlyArray<BatchItem> =>
        ofTenant(state.batchItems, tenantId)
          .filter((item) => item.batchId === batchId)
          .toSorted(by(({ index }) => index))
      return Batches.of({
        insert: (batch) => addNew(state.batches, keyOf(batch.tenantId, batch.batchId), batch),
        get: (tenantId, batchId) =>
          Effect.suspend(() => {
            const batch = state.batches.get(keyOf(tenantId, batchId))
            return batch === undefined ? Effect.fail(new BatchNotFound({ batchId })) : Effect.succeed(batch)
          }),
        ofKey: (tenantId, key) =>
          Effect.sync(
            () => ofTenant(state.batches, tenantId).find(({ idempotencyKey }) => idempotencyKey === key) ?? null
          ),
        page: (tenantId, limit, before) =>
          Effect.sync(() =>
            ofTenant(state.batches, tenantId)
              .filter(({ batchId }) => before === null || batchId < before)
              .toSorted(by(({ batchId }) => batchId))
              .toReversed()
              .slice(0, limit)
          ),
        addItem: (item) => addNew(state.batchItems, keyOf(item.tenantId, item.batchId, String(item.index)), item),
        hasItem: (tenantId, batchId, index) =>
          Effect.sync(() => state.batchItems.has(keyOf(tenantId, batchId, String(index)))),
        items: (tenantId, batchId, limit, after) =>
          Effect.sync(() =>
            itemsOf(tenantId, batchId)
              .filter(({ index }) => after === null || index > after)
              .slice(0, limit)
              .map((item) => ({ item, state: itemState(item.status, standing(item)) }))
          ),
        counts: (tenantId, batchIds) =>
          Effect.sync(() =>
            batchIds.map((batchId) =>
              countItems(
                itemsOf(tenantId, batchId).map((item) => ({ status: item.status, signal: standing(item), count: 1 }))
              )
            )
          )
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
