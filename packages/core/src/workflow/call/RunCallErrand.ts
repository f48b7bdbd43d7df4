import { Effect } from "effect"
import { done, again, errandAttempts, type QueuedErrand } from "../../domain/job/Errand.ts"
import { VoiceProvider } from "../../port/provider/VoiceProvider.ts"
import type { CallErrand } from "../../domain/call/Call.ts"
import { settleCall } from "./SettleCall.ts"

type Kind<K extends CallErrand["kind"]> = QueuedErrand<Extract<CallErrand, { readonly kind: K }>>

/** What was recorded of some legs; of one that is gone there is nothing. */
const recordingsOf = Effect.fnUntraced(function* (legs: ReadonlyArray<string>) {
  const voice = yield* VoiceProvider
  const found = yield* Effect.forEach(legs, (leg) =>
    voice.recordings(leg).pipe(Effect.catchTag("VoiceGone", () => Effect.succeed([])))
  )
  return found.flat().map(({ recordingId }) => recordingId)
})

/** Deletes what was recorded where it is kept. What another provider keeps, nobody here can reach any more. */
const deleteRecordings = Effect.fnUntraced(function* ({
  attempts,
  errand,
  tenantId
}: Kind<"delete_recording" | "delete_recordings">) {
  const voice = yield* VoiceProvider
  if (voice.name !== errand.provider) {
    const what = errand.kind === "delete_recording" ? errand.recordingId : errand.legs.join(" ")
    const about = { tenant: tenantId, provider: errand.provider, recording: what }
    yield* Effect.annotateLogs(Effect.logWarning("A recording cannot be deleted: its provider is not set up"), about)
    return attempts < errandAttempts ? again("the provider is not set up") : done
  }
  const found = errand.kind === "delete_recording" ? Effect.succeed([errand.recordingId]) : recordingsOf(errand.legs)
  return yield* Effect.flatMap(found, (ids) => Effect.forEach(ids, voice.removeRecording, { discard: true })).pipe(
    Effect.as(done),
    Effect.catchTags({
      VoiceGone: () => Effect.succeed(done),
      VoiceUnavailable: ({ reason }) => Effect.succeed(again(reason)),
      VoiceOutcomeUnknown: ({ reason }) => Effect.succeed(again(reason)),
      VoiceRefused: ({ reason }) => Effect.succeed(attempts < errandAttempts ? again(reason) : done)
    })
  )
})

/** Does what is to be done about calls. */
export const runCallErrand = Effect.fn("runCallErrand")(function* (queued: QueuedErrand<CallErrand>) {
  const { errand } = queued
  return errand.kind === "settle_call"
    ? yield* settleCall({ ...queued, errand })
    : yield* deleteRecordings({ ...queued, errand })
})
