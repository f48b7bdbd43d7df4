import type { Effect } from "effect"
import { Context } from "effect"
import type { BatchNotFound, Batch, BatchCounts, BatchItem, ItemProgress } from "../../../domain/tenant/Batch.ts"
import type { BatchId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

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
    ) => Effect.Effect<ReadonlyArray<ItemProgress>, StoreUnavailable>
    /** How far each of these batches has come, in their order. */
    readonly counts: (
      tenantId: string,
      batchIds: ReadonlyArray<BatchId>
    ) => Effect.Effect<ReadonlyArray<BatchCounts>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/Batches") {}
