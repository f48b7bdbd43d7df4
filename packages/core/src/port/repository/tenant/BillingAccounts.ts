import { Context, type Effect } from "effect"
import type { BillingAccount } from "../../../domain/billing/Account.ts"
import type { CreditTransaction } from "../../../domain/billing/Credit.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** How tenants pay: one account a tenant. */
export class BillingAccounts extends Context.Service<
  BillingAccounts,
  {
    /** null: nothing has happened yet. */
    readonly find: (tenantId: string) => Effect.Effect<BillingAccount | null, StoreUnavailable>
    readonly save: (account: BillingAccount) => Effect.Effect<void, StoreUnavailable>
    /** The tenants whose account has this id at the provider; asked before it is known whose provider event it is. */
    readonly ofCustomer: (customerId: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  }
>()("core/port/repository/tenant/BillingAccounts") {}

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
>()("core/port/repository/tenant/BillingAccounts/Credits") {}
