import { Effect } from "effect"
import { done, again, maxJobAttempts, type QueuedJob } from "../../domain/job/Job.ts"
import { VoiceProvider } from "../../port/provider/VoiceProvider.ts"
import type { CallJob } from "../../domain/call/Call.ts"
import { afterFailure } from "../provider/AfterFailure.ts"
import { settleCall } from "./SettleCall.ts"
import { withSpan } from "../WithSpan.ts"
import { log } from "../LogEvents.ts"

type Kind<K extends CallJob["kind"]> = QueuedJob<Extract<CallJob, { readonly kind: K }>>

/** Returns the recordings of several legs. A leg that no longer exists at the provider has none. */
const recordingsOf = Effect.fnUntraced(function* (legs: ReadonlyArray<string>) {
  const voice = yield* VoiceProvider
  const found = yield* Effect.forEach(legs, (leg) =>
    voice.recordings(leg).pipe(Effect.catchReason("ProviderFailure", "Gone", () => Effect.succeed([])))
  )
  return found.flat().map(({ recordingId }) => recordingId)
})

/**
 * Deletes recordings at the provider that made them. This is not possible if that provider is not configured on this
 * server.
 */
const deleteRecordings = Effect.fnUntraced(function* (queued: Kind<"delete_recording" | "delete_recordings">) {
  const { attempts, job, tenantId } = queued
  const voice = yield* VoiceProvider
  if (voice.name !== job.provider) {
    const what = job.kind === "delete_recording" ? job.recordingId : job.legs.join(" ")
    yield* log("recording.delete_failed", { tenant: tenantId, provider: job.provider, recording: what })
    return attempts < maxJobAttempts ? again("the provider is not configured") : done
  }
  const found = job.kind === "delete_recording" ? Effect.succeed([job.recordingId]) : recordingsOf(job.legs)
  return yield* Effect.flatMap(found, (ids) => Effect.forEach(ids, voice.removeRecording, { discard: true })).pipe(
    Effect.as(done),
    Effect.catchReason("ProviderFailure", "Gone", () => Effect.succeed(done)),
    Effect.catchTag("ProviderFailure", (failure) => afterFailure(queued, failure, Effect.succeed(done)))
  )
})

/** Runs a call job. */
export const runCallJob = Effect.fnUntraced(function* (queued: QueuedJob<CallJob>) {
  const { job } = queued
  return job.kind === "settle_call"
    ? yield* settleCall({ ...queued, job })
    : yield* deleteRecordings({ ...queued, job })
}, withSpan("runCallJob"))
