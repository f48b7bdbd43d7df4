import type { Effect } from "effect"
import { Context } from "effect"
import type { IdempotencyRecord, RequestKey } from "../../../domain/access/IdempotencyRecord.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Requests with an `Idempotency-Key`. Call every method inside a unit of work of the tenant. */
export class IdempotencyRecords extends Context.Service<
  IdempotencyRecords,
  {
    readonly find: (key: RequestKey) => Effect.Effect<IdempotencyRecord | null, StoreUnavailable>
    /** Stores a record. An existing record with the same key is replaced. */
    readonly put: (record: IdempotencyRecord) => Effect.Effect<void, StoreUnavailable>
    readonly remove: (key: RequestKey) => Effect.Effect<void, StoreUnavailable>
    /**
     * Deletes the stored responses of a tenant, but not their keys. An erasure does this, because a response may
     * contain data of the erased contact.
     */
    readonly forgetAnswers: (tenantId: string) => Effect.Effect<void, StoreUnavailable>
    /** Deletes up to `limit` records of a tenant that are older than `before`, oldest first. Returns their number. */
    readonly expire: (tenantId: string, before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/tenant/IdempotencyRecords") {}
