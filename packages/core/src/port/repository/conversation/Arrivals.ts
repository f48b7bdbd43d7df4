import type { Effect } from "effect"
import { Context } from "effect"
import type { Arrival, ArrivalOutcome } from "../../../domain/conversation/Arrival.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The inbound ledger. */
export class Arrivals extends Context.Service<
  Arrivals,
  {
    readonly record: (arrival: Arrival) => Effect.Effect<void, StoreUnavailable>
    /** How many arrivals of a tenant ended how. */
    readonly counts: (
      tenantId: string
    ) => Effect.Effect<ReadonlyArray<{ readonly outcome: ArrivalOutcome; readonly count: number }>, StoreUnavailable>
  }
>()("core/port/repository/conversation/Arrivals") {}
