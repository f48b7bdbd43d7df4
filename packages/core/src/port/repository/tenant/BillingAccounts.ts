import { Context, type Effect } from "effect"
import type { BillingAccount } from "../../../domain/billing/Account.ts"
import type { CreditTransaction } from "../../../domain/billing/Credit.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Billing accounts, one for each tenant. */
export class BillingAccounts extends Context.Service<
  BillingAccounts,
  {
    /** Returns the account of a tenant. Returns null if nothing has been stored for the tenant yet. */
    readonly find: (tenantId: string) => Effect.Effect<BillingAccount | null, StoreUnavailable>
    readonly save: (account: BillingAccount) => Effect.Effect<void, StoreUnavailable>
    /**
     * Returns the tenants with this customer id of the provider. It needs no tenant id, because a webhook finds the
     * tenant by the customer.
     */
    readonly ofCustomer: (customerId: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  }
>()("core/port/repository/tenant/BillingAccounts") {}

/** The append-only ledger of credits. */
export class Credits extends Context.Service<
  Credits,
  {
    /** Adds the line that follows the one from `last`. Call both methods in the same unit of work. */
    readonly insert: (line: CreditTransaction) => Effect.Effect<void, StoreUnavailable>
    /** Returns the newest line of a tenant, or null. The balance in this line is the tenant's current balance. */
    readonly last: (tenantId: string) => Effect.Effect<CreditTransaction | null, StoreUnavailable>
    readonly ofReference: (
      tenantId: string,
      reference: string
    ) => Effect.Effect<CreditTransaction | null, StoreUnavailable>
    /** Lists lines with lower numbers than `before`, newest first. Null starts with the newest. */
    readonly page: (
      tenantId: string,
      limit: number,
      before: number | null
    ) => Effect.Effect<ReadonlyArray<CreditTransaction>, StoreUnavailable>
  }
>()("core/port/repository/tenant/BillingAccounts/Credits") {}
