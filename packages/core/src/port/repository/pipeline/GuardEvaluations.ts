import type { Effect } from "effect"
import { Context } from "effect"
import type { GuardCount, GuardRecord } from "../../../domain/guardrail/GuardRecord.ts"
import type { GuardOutcome } from "../../../domain/guardrail/Guardrail.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Which evaluations; null is all of them. */
export interface GuardFilter {
  readonly guardrailId: string | null
  readonly outcome: GuardOutcome | null
  readonly contactId: string | null
}

/** What guardrails said of replies, one line for each guardrail that was asked, and daily counts of it. */
export class GuardEvaluations extends Context.Service<
  GuardEvaluations,
  {
    /** Adds lines of a tenant and counts them to their days. */
    readonly insert: (tenantId: string, records: ReadonlyArray<GuardRecord>) => Effect.Effect<void, StoreUnavailable>
    /** Newest first, after the line with the id `after`. */
    readonly page: (
      tenantId: string,
      filter: GuardFilter,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<GuardRecord>, StoreUnavailable>
    /** Counts of the days (`YYYY-MM-DD`, UTC) from `first` to `last`, both included; by guardrail, kind and outcome. */
    readonly counts: (
      tenantId: string,
      first: string,
      last: string
    ) => Effect.Effect<ReadonlyArray<GuardCount>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/GuardEvaluations") {}
