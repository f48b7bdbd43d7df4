import { Clock, Effect } from "effect"
import { again, type JobOutcome, maxJobAttempts, type QueuedJob } from "../../domain/job/Job.ts"
import { behaviorAfter, requestedWait } from "../../domain/provider/ProviderBehavior.ts"
import type { ProviderFailure } from "../../domain/provider/ProviderFailure.ts"

/** Returns the outcome that retries a job after the wait that the provider requests, or after the default wait. */
export const retryLater = (queued: QueuedJob, failure: ProviderFailure): Effect.Effect<JobOutcome> => {
  const wait = requestedWait(failure)
  if (wait === null) return Effect.succeed(again(failure.message))
  return Effect.map(Clock.currentTimeMillis, (now) => ({
    _tag: "Later",
    dueAt: now + wait,
    job: queued.job,
    reason: failure.message
  }))
}

/**
 * Returns the outcome of a job whose requests may be repeated. A refusal may result from a setting at the provider, so
 * it is retried `maxJobAttempts` times before `giveUp`. Other failures are retried without a limit.
 */
export const afterFailure = <E, R>(
  queued: QueuedJob,
  failure: ProviderFailure,
  giveUp: Effect.Effect<JobOutcome, E, R>
): Effect.Effect<JobOutcome, E, R> =>
  behaviorAfter(failure) === "give_up" && queued.attempts >= maxJobAttempts ? giveUp : retryLater(queued, failure)
