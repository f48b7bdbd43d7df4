import type { Effect } from "effect"
import { Context } from "effect"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** A call, as its first equal call was stored. */
export interface NotedCall {
  /** Epoch milliseconds. */
  readonly firstAt: number
  /** True for exactly one of several equal calls. */
  readonly isFirst: boolean
}

/**
 * Recent calls of the CRM's workflows. The CRM sends no id with a call, so the content of a call identifies its
 * repetitions.
 */
export class CrmCalls extends Context.Service<
  CrmCalls,
  {
    /**
     * Returns the time of the first equal call after `since` (epoch milliseconds), and whether this call is the first.
     * Equal calls may have the same time. Deletes the tenant's calls from before `since`.
     */
    readonly note: (
      tenantId: string,
      callKey: string,
      now: number,
      since: number
    ) => Effect.Effect<NotedCall, StoreUnavailable>
  }
>()("core/port/repository/crm/CrmCalls") {}
