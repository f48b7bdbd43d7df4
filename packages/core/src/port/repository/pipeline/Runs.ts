import { Context, type Effect } from "effect"
import type { Run, RunQuery } from "../../../domain/run/Run.ts"
import type { RunMessage } from "../../../domain/run/RunSubject.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Stored runs, one for each signal. */
export class Runs extends Context.Service<
  Runs,
  {
    readonly insert: (run: Run) => Effect.Effect<void, StoreUnavailable>
    /** Replaces the result of a stored run. Read the run in the same unit of work first. */
    readonly replaceResult: (run: Run) => Effect.Effect<void, StoreUnavailable>
    /** Returns the run of a signal, or null. */
    readonly ofSignal: (tenantId: string, signalId: string) => Effect.Effect<Run | null, StoreUnavailable>
    /** Lists runs before the run of the signal `before`. Runs with the newest messages come first. */
    readonly page: (
      tenantId: string,
      query: RunQuery,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<Run>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/Runs") {}

/** The part of a run that a back-test needs: its inputs, the answers of models and its message. */
export interface PastRun extends Pick<
  Run,
  "signalId" | "messageId" | "contactId" | "createdAt" | "inputs" | "recordings"
> {
  readonly message: RunMessage
}

/** The stored runs for back-tests. Runs with the newest messages come first. */
export class PastRuns extends Context.Service<
  PastRuns,
  {
    /** Lists a tenant's runs whose messages are older than that of the signal `before`. Null starts with the newest. */
    readonly page: (
      tenantId: string,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<PastRun>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/Runs/PastRuns") {}
