import { expireEvents } from "@leadloom/core/workflow/delivery/ExpireEvents"
import { Effect, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"

/** Between two rounds. */
const everyHours = 1

/** Removes outbound events that have been kept long enough, for as long as the server runs. */
export const layer = (days: number) =>
  Layer.effectDiscard(
    expireEvents(days).pipe(
      Effect.tap((removed) =>
        removed === 0 ? Effect.void : Effect.logInfo("expired events were removed", { removed, days })
      ),
      Effect.catchCause((cause) => Effect.logError("expired events could not be removed", cause)),
      Effect.andThen(Effect.sleep(`${everyHours} hours`)),
      Effect.forever,
      Effect.forkScoped,
      Effect.provideService(CurrentWorker, "worker.eventCleaner")
    )
  )
