import { Context, type Effect } from "effect"
import type { Run, RunQuery } from "../../../domain/run/Run.ts"
import type { RunMessage } from "../../../domain/run/RunSubject.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Passages through the pipeline, one a signal. */
export class Runs extends Context.Service<
  Runs,
  {
    readonly insert: (run: Run) => Effect.Effect<void, StoreUnavailable>
    /** The run of a signal, or null while there is none. */
    readonly ofSignal: (tenantId: string, signalId: string) => Effect.Effect<Run | null, StoreUnavailable>
    /** Runs by the age of their messages, newest first, those before the signal `before`. */
    readonly page: (
      tenantId: string,
      query: RunQuery,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<Run>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/Runs") {}

/** A run as far as it takes to decide again: what it looked at and what a model said, with its message. */
export interface PastRun extends Pick<
  Run,
  "signalId" | "messageId" | "contactId" | "createdAt" | "inputs" | "recordings"
> {
  readonly message: RunMessage
}

/** The history of the pipeline, read through from the newest message to the oldest. */
export class PastRuns extends Context.Service<
  PastRuns,
  {
    /** The next of a tenant's runs, those of messages older than the one of the signal `before`; null: from the newest on. */
    readonly page: (
      tenantId: string,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<PastRun>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/Runs/PastRuns") {}
