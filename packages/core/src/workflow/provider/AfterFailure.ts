import { Clock, Effect } from "effect"
import { again, type JobOutcome, maxJobAttempts, type QueuedJob } from "../../domain/job/Job.ts"
import { behaviorAfter, requestedWait } from "../../domain/provider/ProviderBehavior.ts"
import type { ProviderFailure } from "../../domain/provider/ProviderFailure.ts"

/**
 * Returns the outcome that retries a job. The delay is the one that the provider requests, otherwise the default delay.
 */
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
 * Returns the outcome of a failed job whose requests are idempotent. A refusal may be caused by a setting at the
 * provider, which a person can change. It is therefore retried up to `maxJobAttempts` attempts before `giveUp` runs.
 * Other failures are retried without a limit.
 */
export const afterFailure = <E, R>(
  queued: QueuedJob,
  failure: ProviderFailure,
  giveUp: Effect.Effect<JobOutcome, E, R>
): Effect.Effect<JobOutcome, E, R> =>
  behaviorAfter(failure) === "give_up" && queued.attempts >= maxJobAttempts ? giveUp : retryLater(queued, failure)
