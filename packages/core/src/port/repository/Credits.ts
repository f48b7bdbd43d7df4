import { Context, Effect, Layer } from "effect"
import type { CreditTransaction } from "../../domain/billing/Credit.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

const byNumber = by<CreditTransaction>((line) => line.number)

/** The ledger of credits: lines are added, and nothing else. */
export class Credits extends Context.Service<
  Credits,
  {
    /** Adds a line: the one after `last`, in the unit of work that has read it. */
    readonly insert: (line: CreditTransaction) => Effect.Effect<void, StoreUnavailable>
    /** The newest line of a tenant; null: there is none. Its balance is the tenant's. */
    readonly last: (tenantId: string) => Effect.Effect<CreditTransaction | null, StoreUnavailable>
    readonly ofReference: (
      tenantId: string,
      reference: string
    ) => Effect.Effect<CreditTransaction | null, StoreUnavailable>
    /** Lines before a number, newest first; null: from the newest on. */
    readonly page: (
      tenantId: string,
      limit: number,
      before: number | null
    ) => Effect.Effect<ReadonlyArray<CreditTransaction>, StoreUnavailable>
  }
>()("core/port/repository/Credits") {
  static readonly layerMemory: Layer.Layer<Credits> = Layer.effect(
    Credits,
    Effect.map(MemoryState, ({ credits }) => {
      const newestFirst = (tenantId: string) =>
        ofTenant(credits, tenantId).toSorted((one, other) => byNumber(other, one))
      return Credits.of({
        insert: (line) => addNew(credits, keyOf(line.tenantId, line.reference), line),
        last: (tenantId) => Effect.sync(() => newestFirst(tenantId)[0] ?? null),
        ofReference: (tenantId, reference) => Effect.sync(() => credits.get(keyOf(tenantId, reference)) ?? null),
        page: (tenantId, limit, before) =>
          Effect.sync(() =>
            newestFirst(tenantId)
              .filter((line) => before === null || line.number < before)
              .slice(0, limit)
          )
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
