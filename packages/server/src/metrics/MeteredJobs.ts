import type { RunJob } from "@leadloom/core/internal/workflow/job/WorkJobs"
import { Cause, Effect, Exit } from "effect"
import type { Meter } from "./Meter.ts"

const outcomes = { Done: "done", Later: "later", Again: "again" } as const

/** Runs jobs and counts their results. `broke` counts defects, and runs during which the store did not answer. */
export const countJobs =
  <R>({ jobs }: Meter, run: RunJob<R>): RunJob<R> =>
  (queued) => {
    const { kind } = queued.job
    return Effect.onExit(run(queued), (exit) =>
      Effect.sync(() => {
        if (Exit.isSuccess(exit)) jobs({ kind, outcome: outcomes[exit.value._tag] })
        else if (!Cause.hasInterruptsOnly(exit.cause)) jobs({ kind, outcome: "broke" })
      })
    )
  }
