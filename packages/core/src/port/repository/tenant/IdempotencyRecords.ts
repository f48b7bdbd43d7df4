import type { Effect } from "effect"
import { Context } from "effect"
import type { IdempotencyRecord, RequestKey } from "../../../domain/access/IdempotencyRecord.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Requests that came under an `Idempotency-Key`. Read and written within units of work of their tenant. */
export class IdempotencyRecords extends Context.Service<
  IdempotencyRecords,
  {
    readonly find: (key: RequestKey) => Effect.Effect<IdempotencyRecord | null, StoreUnavailable>
    /** Writes a record, in place of the one that is there under its key. */
    readonly put: (record: IdempotencyRecord) => Effect.Effect<void, StoreUnavailable>
    readonly remove: (key: RequestKey) => Effect.Effect<void, StoreUnavailable>
    /** Forgets what was answered in a tenant, and keeps that it was: somebody was erased who may be in it. */
    readonly forgetAnswers: (tenantId: string) => Effect.Effect<void, StoreUnavailable>
    /** Removes up to `limit` records of a tenant from before a time, oldest first; answers how many. */
    readonly expire: (tenantId: string, before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/tenant/IdempotencyRecords") {}
