import { Data, Effect } from "effect"
import { Runs } from "../../port/repository/pipeline/Runs.ts"
import { signalIdMeant } from "../../domain/classification/Signal.ts"

/** The signal has not been worked yet, was never queued, or is not this tenant's. */
export class RunNotFound extends Data.TaggedError("RunNotFound")<{ readonly signalId: string }> {}

/** What became of a signal, named by its id, by its message's or by the id of the custom event it came as. */
export const readRun = Effect.fn("readRun")(function* (tenantId: string, id: string) {
  const run = yield* (yield* Runs).ofSignal(tenantId, signalIdMeant(id))
  return run ?? (yield* new RunNotFound({ signalId: id }))
})
