import { deleteExpired } from "@leadloom/core/workflow/access/DeleteExpired"
import { Effect, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"

/** Between two rounds. */
const everyHours = 1

/** Removes what is only kept to recognise repetitions and has served its time, for as long as the server runs. */
export const layer = Layer.effectDiscard(
  deleteExpired().pipe(
    Effect.catchCause((cause) => Effect.logError("old keys could not be removed", cause)),
    Effect.andThen(Effect.sleep(`${everyHours} hours`)),
    Effect.forever,
    Effect.forkScoped,
    Effect.provideService(CurrentWorker, "worker.keyCleaner")
  )
)
