import { Cause, Clock, Effect, Exit, Option } from "effect"
import type { Clearance } from "../../domain/consent/Clearance.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import {
  type CallToPlace,
  type VoiceFailure,
  VoiceOutcomeUnknown,
  VoiceProvider
} from "../../port/provider/VoiceProvider.ts"
import { type Call, CallProviderUnavailable, CallRefused } from "../../domain/call/Call.ts"

/** Writes down what became of a call; what the provider has told of it meanwhile stays. */
const note = Effect.fnUntraced(function* (call: Call, change: (now: Call) => Partial<Call>) {
  const { callId, tenantId } = call
  const calls = yield* Calls
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      // Erased meanwhile: nothing is left to write it to.
      const there = yield* calls.get(tenantId, callId).pipe(Effect.catchTag("CallNotFound", () => Effect.succeed(null)))
      if (there === null) return call
      const next: Call = { ...there, ...change(there), updatedAt: yield* Clock.currentTimeMillis }
      yield* calls.update(next)
      return next
    })
  )
})

const untouched = ({ providerCallId, status }: Call): boolean => status === "queued" && providerCallId === null

/** It came to nothing. Of one that may be tried again the key is free. */
const fail = (call: Call, reason: string, again: boolean) =>
  note(call, (there) => ({
    ...(untouched(there) ? { status: "failed", endedAt: there.startedAt, recording: "none" } : {}),
    reason: reason.slice(0, 500),
    ...(again ? { requestKey: null } : {})
  }))

/**
 * Has a call placed and writes down what the provider said. Not to be interrupted: who has begun to speak has to hear the
 * answer.
 */
export const handOverCall = (call: Call, order: CallToPlace, clearance: Clearance) =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit((yield* VoiceProvider).place(order, clearance))
    if (Exit.isSuccess(exit)) {
      const { providerCallId } = exit.value
      return yield* note(call, (there) => ({ providerCallId: there.providerCallId ?? providerCallId }))
    }
    const broken = new VoiceOutcomeUnknown({ reason: Cause.pretty(exit.cause) })
    const failure: VoiceFailure = Option.getOrElse(Cause.findErrorOption(exit.cause), () => broken)
    const { reason } = failure
    yield* Effect.annotateLogs(Effect.logWarning("A call was not taken"), {
      tenant: call.tenantId,
      call: call.callId,
      outcome: failure._tag,
      reason
    })
    switch (failure._tag) {
      case "VoiceOutcomeUnknown":
        return yield* note(call, (there) =>
          untouched(there) ? { status: "unknown", reason: reason.slice(0, 500) } : {}
        )
      case "VoiceUnavailable":
        yield* fail(call, reason, true)
        return yield* new CallProviderUnavailable({ reason })
      case "VoiceRefused":
      case "VoiceGone":
        yield* fail(call, reason, false)
        return yield* new CallRefused({ reason })
    }
  })
