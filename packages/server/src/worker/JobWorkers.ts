import { type RunJob, workJobs } from "@leadloom/core/workflow/job/WorkJobs"
import { Jobs } from "@leadloom/core/port/repository/webhook/Jobs"
import { Effect, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"
import { closableQueue, runWorkers } from "./Workers.ts"

/** Each worker runs several jobs concurrently. The second worker reduces delays by a slow provider. */
export const workerCount = 2

/** Runs due jobs with `run` while the server runs. */
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
