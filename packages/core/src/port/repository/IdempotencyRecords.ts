import { Context, Effect, Layer } from "effect"
import type { IdempotencyRecord, RequestKey } from "../../domain/access/IdempotencyRecord.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

const nameOf = ({ credential, key, route, tenantId }: RequestKey): string => keyOf(tenantId, credential, route, key)

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
>()("core/port/repository/IdempotencyRecords") {
  static readonly layerMemory: Layer.Layer<IdempotencyRecords> = Layer.effect(
    IdempotencyRecords,
    Effect.map(MemoryState, ({ idempotencyRecords: records }) =>
      IdempotencyRecords.of({
        find: (key) => Effect.sync(() => records.get(nameOf(key)) ?? null),
        put: (record) => Effect.sync(() => void records.set(nameOf(record), record)),
        remove: (key) => Effect.sync(() => void records.delete(nameOf(key))),
        forgetAnswers: (tenantId) =>
          Effect.sync(() => {
            for (const record of ofTenant(records, tenantId))
              if (record.state === "answered") records.set(nameOf(record), { ...record, state: "done", answer: null })
          }),
        expire: (tenantId, before, limit) =>
          Effect.sync(() => {
            const old = ofTenant(records, tenantId).filter(({ createdAt }) => createdAt < before)
            const oldest = old.toSorted((one, other) => one.createdAt - other.createdAt).slice(0, limit)
            for (const record of oldest) records.delete(nameOf(record))
            return oldest.length
          })
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
