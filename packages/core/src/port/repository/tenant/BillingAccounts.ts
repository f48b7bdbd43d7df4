import type { Effect } from "effect"
import { Context } from "effect"
import type { BillingAccount } from "../../../domain/billing/Account.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

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
>()("core/port/repository/tenant/BillingAccounts") {}
