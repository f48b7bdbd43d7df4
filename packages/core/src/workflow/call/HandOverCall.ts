import { Cause, Clock, Effect, Exit, Option } from "effect"
import type { Clearance } from "../../domain/consent/Clearance.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type CallToPlace, VoiceProvider } from "../../port/provider/VoiceProvider.ts"
import { behaviorAfter } from "../../domain/provider/ProviderBehavior.ts"
import { outcomeUnknown, refused } from "../../domain/provider/ProviderFailure.ts"
import { type Call, CallProviderUnavailable } from "../../domain/call/Call.ts"
import { log } from "../LogEvents.ts"

/** Stores the result of a request to place a call. Keeps changes that provider events have made meanwhile. */
const note = Effect.fnUntraced(function* (call: Call, change: (now: Call) => Partial<Call>) {
  const { callId, tenantId } = call
  const calls = yield* Calls
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      // The call was erased meanwhile, so there is nothing to update.
      const there = yield* calls.get(tenantId, callId).pipe(Effect.catchTag("CallNotFound", () => Effect.succeed(null)))
      if (there === null) return call
      const next: Call = { ...there, ...change(there), updatedAt: yield* Clock.currentTimeMillis }
      yield* calls.update(next)
      return next
    })
  )
})

const untouched = ({ providerCallId, status }: Call): boolean => status === "queued" && providerCallId === null

/** Marks the call as failed. With `again`, releases its idempotency key, so that the client may retry. */
const fail = (call: Call, reason: string, again: boolean) =>
  note(call, (there) => ({
    ...(untouched(there) ? { status: "failed", endedAt: there.startedAt, recording: "none" } : {}),
    reason: reason.slice(0, 500),
    ...(again ? { requestKey: null } : {})
  }))

/**
 * Asks the provider to place a call, and stores the result. Must run uninterruptibly, because an interruption after the
 * request would lose the provider's response.
 */
export const handOverCall = (call: Call, order: CallToPlace, clearance: Clearance) =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit((yield* VoiceProvider).place(order, clearance))
    if (Exit.isSuccess(exit)) {
      const { providerCallId } = exit.value
      return yield* note(call, (there) => ({ providerCallId: there.providerCallId ?? providerCallId }))
    }
    const broken = outcomeUnknown("voice", Cause.pretty(exit.cause))
    const failure = Option.getOrElse(Cause.findErrorOption(exit.cause), () => broken)
    const { message: reason } = failure
    const { callId, tenantId } = call
    yield* log("call.not_placed", { tenant: tenantId, call: callId, outcome: failure.reason._tag, reason })
    switch (behaviorAfter(failure)) {
      case "resolve":
        return yield* note(call, (there) =>
          untouched(there) ? { status: "unknown", reason: reason.slice(0, 500) } : {}
        )
      case "retry":
        yield* fail(call, reason, true)
        return yield* new CallProviderUnavailable({ reason })
      case "sign_out":
      case "give_up":
        yield* fail(call, reason, false)
        return yield* refused("voice", reason)
    }
  })
