import { expireEvents } from "@leadloom/core/workflow/webhook/ExpireEvents"
import { Effect, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"

/** Interval between two runs. */
const everyHours = 1

/** Deletes outbound events after their retention, while the server runs. */
export const layer = (days: number) =>
  Layer.effectDiscard(
    expireEvents(days).pipe(
      Effect.tap((removed) =>
        removed === 0 ? Effect.void : Effect.logInfo("deleted expired events", { removed, days })
      ),
      Effect.catchCause((cause) => Effect.logError("failed to delete expired events", cause)),
      Effect.andThen(Effect.sleep(`${everyHours} hours`)),
      Effect.forever,
      Effect.forkScoped,
      Effect.provideService(CurrentWorker, "worker.eventCleaner")
    )
  )
