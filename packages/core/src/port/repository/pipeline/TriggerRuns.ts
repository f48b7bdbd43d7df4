import type { Effect } from "effect"
import { Context } from "effect"
import type { TriggerRun, TriggerRunFilter } from "../../../domain/run/TriggerRun.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The runs of rules that do not react to messages. Changes run in a unit of work, so that each cause has its effects once. */
export class TriggerRuns extends Context.Service<
  TriggerRuns,
  {
    /** Stores a run. Has no effect if the rule already has a run for the cause. */
    readonly insert: (run: TriggerRun) => Effect.Effect<void, StoreUnavailable>
    /** Returns null for an unknown id and for another tenant's. */
    readonly find: (tenantId: string, triggerRunId: string) => Effect.Effect<TriggerRun | null, StoreUnavailable>
    /** Replaces the record. Read it in the same unit of work first. */
    readonly replace: (run: TriggerRun) => Effect.Effect<void, StoreUnavailable>
    /** Returns whether the rule has a newer run for a change of the same lead. */
    readonly isRepeated: (run: TriggerRun) => Effect.Effect<boolean, StoreUnavailable>
    /** Lists up to `limit` runs before an id, newest first. */
    readonly page: (
      tenantId: string,
      filter: TriggerRunFilter,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<TriggerRun>, StoreUnavailable>
    /** Deletes up to `limit` runs that ended from before a time, oldest first. Returns their number. */
    readonly expire: (tenantId: string, before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
    /** Claims up to `limit` due runs until `leaseUntil`, as in `Sends.claim`. */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<TriggerRun>, StoreUnavailable>
    /** Waits until runs may be due, as in `Signals.wait`. */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
  }
>()("core/port/repository/pipeline/TriggerRuns") {}
