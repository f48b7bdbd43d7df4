import { deleteExpired } from "@leadloom/core/workflow/access/DeleteExpired"
import { Effect, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"

/** Interval between two runs. */
const everyHours = 1

/** Deletes expired idempotency records and provider events while the server runs. */
export const layer = Layer.effectDiscard(
  deleteExpired().pipe(
    Effect.catchCause((cause) =>
      Effect.logError("failed to delete expired idempotency records and provider events", cause)
    ),
    Effect.andThen(Effect.sleep(`${everyHours} hours`)),
    Effect.forever,
    Effect.forkScoped,
    Effect.provideService(CurrentWorker, "worker.keyCleaner")
  )
)
