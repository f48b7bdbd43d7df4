import type { Effect } from "effect"
import { Context } from "effect"
import type { ScoreRecord } from "../../../domain/lead/ScoreRecord.ts"
import type { StoreUnavailable } from "../../system/StoreUnavailable.ts"

/** Every score that leads were ever given. */
export class Scores extends Context.Service<
  Scores,
  {
    readonly insert: (score: ScoreRecord) => Effect.Effect<void, StoreUnavailable>
    /** Scores of a lead, newest first, those before the score `before`; null: from the newest on. */
    readonly ofLead: (
      tenantId: string,
      leadId: string,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<ScoreRecord>, StoreUnavailable>
  }
>()("core/port/repository/lead/Scores") {}
