import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * Recent calls of the CRM's workflows. The CRM sends no id with a call, so the content of a call identifies its
 * repetitions.
 */
export class CrmCalls extends Context.Service<
  CrmCalls,
  {
    /**
     * Returns the time of the first equal call after `since` (epoch milliseconds). Returns `now` if this call is the
     * first. Deletes the tenant's calls from before `since`.
     */
    readonly firstAt: (
      tenantId: string,
      callKey: string,
      now: number,
      since: number
    ) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/crm/CrmCalls") {}
