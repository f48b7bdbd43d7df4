import type { Effect } from "effect"
import { Context } from "effect"
import type { BatchNotFound, Batch, BatchCounts, BatchItem, ItemProgress } from "../../../domain/tenant/Batch.ts"
import type { BatchId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Batches, and the results of their requests. */
export class Batches extends Context.Service<
  Batches,
  {
    /** Stores a new batch. No other batch may have its idempotency key. */
    readonly insert: (batch: Batch) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, batchId: string) => Effect.Effect<Batch, BatchNotFound | StoreUnavailable>
    /** Returns the batch with this idempotency key, or null. */
    readonly ofKey: (tenantId: string, idempotencyKey: string) => Effect.Effect<Batch | null, StoreUnavailable>
    /** Lists the batches of a tenant older than `before`, newest first. Null starts with the newest. */
    readonly page: (
      tenantId: string,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<Batch>, StoreUnavailable>
    readonly addItem: (item: BatchItem) => Effect.Effect<void, StoreUnavailable>
    readonly hasItem: (tenantId: string, batchId: BatchId, index: number) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Lists the requests of a batch with their states, in the order of the batch, after the index `after`. Null starts
     * with the first.
     */
    readonly items: (
      tenantId: string,
      batchId: BatchId,
      limit: number,
      after: number | null
    ) => Effect.Effect<ReadonlyArray<ItemProgress>, StoreUnavailable>
    /** Returns the progress of these batches, in the given order. */
    readonly counts: (
      tenantId: string,
      batchIds: ReadonlyArray<BatchId>
    ) => Effect.Effect<ReadonlyArray<BatchCounts>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/Batches") {}
