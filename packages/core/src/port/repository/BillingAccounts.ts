import { Context, Effect, Layer } from "effect"
import type { BillingAccount } from "../../domain/billing/Account.ts"
import { MemoryState } from "../../memory/MemoryState.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

/** How tenants pay: one account a tenant. */
export class BillingAccounts extends Context.Service<
  BillingAccounts,
  {
    /** null: nothing has happened yet. */
    readonly find: (tenantId: string) => Effect.Effect<BillingAccount | null, StoreUnavailable>
    readonly save: (account: BillingAccount) => Effect.Effect<void, StoreUnavailable>
    /** The tenants whose account has this id at the provider; asked before it is known whose notice it is. */
    readonly ofCustomer: (customerId: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  }
>()("core/port/repository/BillingAccounts") {
  static readonly layerMemory: Layer.Layer<BillingAccounts> = Layer.effect(
    BillingAccounts,
    Effect.map(MemoryState, ({ billingAccounts }) =>
      BillingAccounts.of({
        find: (tenantId) => Effect.sync(() => billingAccounts.get(tenantId) ?? null),
        save: (account) => Effect.sync(() => void billingAccounts.set(account.tenantId, account)),
        ofCustomer: (customerId) =>
          Effect.sync(() =>
            [...billingAccounts.values()]
              .filter((account) => account.customerId === customerId)
              .map(({ tenantId }) => tenantId)
              .toSorted()
          )
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
