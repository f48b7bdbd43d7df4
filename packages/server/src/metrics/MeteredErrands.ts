import type { RunErrand } from "@leadloom/core/workflow/job/WorkErrands"
import { Cause, Effect, Exit } from "effect"
import type { Meter } from "./Meter.ts"

const outcomes = { Done: "done", Later: "later", Again: "again" } as const

/** Does errands and counts what came of them; `broke`: nobody had foreseen it, or the store did not answer. */
export const countErrands =
  <R>({ errands }: Meter, run: RunErrand<R>): RunErrand<R> =>
  (queued) => {
    const { kind } = queued.errand
    return Effect.onExit(run(queued), (exit) =>
      Effect.sync(() => {
        if (Exit.isSuccess(exit)) errands({ kind, outcome: outcomes[exit.value._tag] })
        else if (!Cause.hasInterruptsOnly(exit.cause)) errands({ kind, outcome: "broke" })
      })
    )
  }
