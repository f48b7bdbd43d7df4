import { Effect } from "effect"
import { Errands } from "../../port/repository/webhook/Errands.ts"
import type { Call } from "../../domain/call/Call.ts"
import { settleErrandId } from "../../domain/call/CallErrand.ts"

/**
 * Sees to it that a call comes to its end here, also when nobody tells of it: from `dueAt` on it is looked after. Runs
 * inside the unit of work that begins the call.
 */
export const watchCall = Effect.fnUntraced(function* ({ callId, startedAt, tenantId }: Call, dueAt: number) {
  const errand = { kind: "settle_call", callId } as const
  const errandId = settleErrandId(callId)
  yield* (yield* Errands).put({ tenantId, errandId, dueAt, createdAt: startedAt, errand })
})
