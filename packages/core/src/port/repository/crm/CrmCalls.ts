import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Which calls of the CRM's workflows came lately. They have no id, so they are known by what they say. */
export class CrmCalls extends Context.Service<
  CrmCalls,
  {
    /**
     * When this very call came first, epoch milliseconds: `now`, unless it came before and after `since` already. Calls of
     * the tenant from before `since` are forgotten.
     */
    readonly firstAt: (
      tenantId: string,
      callKey: string,
      now: number,
      since: number
    ) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/crm/CrmCalls") {}
