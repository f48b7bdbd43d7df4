import type { Effect } from "effect"
import { Context } from "effect"
import type { CreditTransaction } from "../../../domain/billing/Credit.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

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
>()("core/port/repository/tenant/Credits") {}
