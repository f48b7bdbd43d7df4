import type { Effect } from "effect"
import { Context } from "effect"
import type { Arrival, ArrivalOutcome } from "../../../domain/conversation/Arrival.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The inbound ledger: one line for every arriving message. */
export class Arrivals extends Context.Service<
  Arrivals,
  {
    readonly record: (arrival: Arrival) => Effect.Effect<void, StoreUnavailable>
    /** Counts the arrivals of a tenant by result. */
    readonly counts: (
      tenantId: string
    ) => Effect.Effect<ReadonlyArray<{ readonly outcome: ArrivalOutcome; readonly count: number }>, StoreUnavailable>
  }
>()("core/port/repository/conversation/Arrivals") {}
