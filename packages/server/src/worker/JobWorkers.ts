import { type RunJob, workJobs } from "@leadloom/core/workflow/job/WorkJobs"
import { Jobs } from "@leadloom/core/port/repository/webhook/Jobs"
import { Effect, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"
import { closableQueue, runWorkers } from "./Workers.ts"

/** Each does several jobs beside each other; two, so that a slow provider holds up less. */
export const workerCount = 2

/** Does what is to be done outside, as `run` does it, as long as the server runs. */
export const layer = <R>(run: RunJob<R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const { claim, close, wait } = yield* closableQueue(jobs, workerCount)
      const queue = Jobs.of({ ...jobs, claim, wait })
      yield* runWorkers(Effect.provideService(workJobs(run), Jobs, queue), workerCount, close).pipe(
        Effect.provideService(CurrentWorker, "worker.jobs")
      )
    })
  )
