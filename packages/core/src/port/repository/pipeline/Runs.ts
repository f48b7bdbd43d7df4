import type { Effect } from "effect"
import { Context } from "effect"
import type { Run, RunQuery } from "../../../domain/run/Run.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

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
