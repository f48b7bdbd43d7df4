import type { Effect } from "effect"
import { Context } from "effect"
import type { GuardCount, GuardRecord } from "../../../domain/guardrail/GuardRecord.ts"
import type { GuardOutcome } from "../../../domain/guardrail/Guardrail.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** A filter for evaluations. A null field does not filter. */
export interface GuardFilter {
  readonly guardrailId: string | null
  readonly outcome: GuardOutcome | null
  readonly contactId: string | null
}

/** The results of guardrails: one record for each guardrail that checked a reply, and daily counts. */
export class GuardEvaluations extends Context.Service<
  GuardEvaluations,
  {
    /** Stores records of a tenant, and increases the counts of the days to which they belong. */
    readonly insert: (tenantId: string, records: ReadonlyArray<GuardRecord>) => Effect.Effect<void, StoreUnavailable>
    /** Lists records after the one with id `after`, newest first. */
    readonly page: (
      tenantId: string,
      filter: GuardFilter,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<GuardRecord>, StoreUnavailable>
    /**
     * Returns the counts from day `first` to day `last` (`YYYY-MM-DD`, UTC, inclusive) by guardrail, kind and outcome.
     */
    readonly counts: (
      tenantId: string,
      first: string,
      last: string
    ) => Effect.Effect<ReadonlyArray<GuardCount>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/GuardEvaluations") {}
