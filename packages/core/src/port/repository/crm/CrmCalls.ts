import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * Recent calls of the CRM's workflows. The CRM sends no id with them, so that their content identifies a repeated call.
 */
export class CrmCalls extends Context.Service<
  CrmCalls,
  {
    /**
     * Returns the time of the first equal call after `since`, or `now` when this is the first one (epoch milliseconds).
     * Deletes the tenant's calls from before `since`.
     */
    readonly firstAt: (
      tenantId: string,
      callKey: string,
      now: number,
      since: number
    ) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/crm/CrmCalls") {}
