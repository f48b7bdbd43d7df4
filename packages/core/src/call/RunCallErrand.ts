import { Effect } from "effect"
import { done, again, errandAttempts, type QueuedErrand } from "../errand/Errand.ts"
import { VoiceProvider } from "../port/VoiceProvider.ts"
import type { CallErrand } from "./CallErrand.ts"
import { settleCall } from "./SettleCall.ts"

type Kind<K extends CallErrand["kind"]> = QueuedErrand<Extract<CallErrand, { readonly kind: K }>>

/** Deletes a recording where it is kept. What another provider keeps, nobody here can reach any more. */
const deleteRecording = Effect.fnUntraced(function* ({ attempts, errand, tenantId }: Kind<"delete_recording">) {
  const voice = yield* VoiceProvider
  if (voice.name !== errand.provider) {
    const about = { tenant: tenantId, provider: errand.provider, recording: errand.recordingId }
    yield* Effect.annotateLogs(Effect.logWarning("A recording cannot be deleted: its provider is not set up"), about)
    return attempts < errandAttempts ? again("the provider is not set up") : done
  }
  return yield* voice.removeRecording(errand.recordingId).pipe(
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
  return errand.kind === "delete_recording"
    ? yield* deleteRecording({ ...queued, errand })
    : yield* settleCall({ ...queued, errand })
})
