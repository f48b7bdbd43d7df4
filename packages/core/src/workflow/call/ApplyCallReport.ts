import { Clock, Effect } from "effect"
import { recordingJobId } from "../../domain/call/Call.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { ProviderEvents } from "../../port/repository/webhook/ProviderEvents.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { applyReports } from "./FinishCall.ts"
import type { CallReport } from "../../domain/call/CallReport.ts"
import { withSpan } from "../WithSpan.ts"

/** The origin of a provider's report of a call: the call, the provider, and the provider's id of the event. */
export interface CallEvent {
  readonly tenantId: string
  readonly callId: string
  readonly provider: string
  readonly providerEventId: string
}

/** Returns the call of a provider event. Returns null for a repeated event and for an unknown call. */
const callOf = Effect.fnUntraced(function* ({ callId, providerEventId, provider, tenantId }: CallEvent, now: number) {
  if (!(yield* (yield* ProviderEvents).receive(tenantId, provider, providerEventId, now))) return null
  return yield* (yield* Calls).get(tenantId, callId).pipe(Effect.catchTag("CallNotFound", () => Effect.succeed(null)))
})

/**
 * Applies a provider's report of a call. A repeated event has no effect, and a call never returns to an earlier status.
 * When the call ends, its message, its signal and, for a missed call, a task are written in the same unit of work.
 * Returns the updated call; null for an unknown call and for a repeated event.
 */
export const applyCallReport = Effect.fnUntraced(function* (providerEvent: CallEvent, report: CallReport) {
  const { tenantId } = providerEvent
  const tenant = yield* (yield* Tenants).get(tenantId)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const call = yield* callOf(providerEvent, now)
      return call === null ? null : yield* applyReports(tenant, call, [report])
    })
  )
}, withSpan("applyCallReport"))

/** The provider's report of a recording. */
export interface RecordingReport {
  readonly recordingId: string
  readonly state: "ready" | "absent"
  readonly seconds: number | null
}

/** Applies the provider's report of a recording. If the call was erased, queues the deletion of the recording. */
export const applyRecordingReport = Effect.fnUntraced(function* (
  providerEvent: CallEvent,
  { recordingId, seconds, state }: RecordingReport
) {
  const { callId, provider, tenantId } = providerEvent
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const calls = yield* Calls
      if (!(yield* (yield* ProviderEvents).receive(tenantId, provider, providerEvent.providerEventId, now))) return
      const call = yield* calls.get(tenantId, callId).pipe(Effect.catchTag("CallNotFound", () => Effect.succeed(null)))
      if (call !== null) {
        const received = state === "ready"
        // A transferred call has several recordings. The absence of one must not replace another one that exists.
        if (!received && call.recording === "ready") return
        const found = received ? { recordingId, recordingSeconds: seconds } : {}
        return yield* calls.update({ ...call, ...found, recording: received ? "ready" : "none", updatedAt: now })
      }
      if (state !== "ready") return
      const job = { kind: "delete_recording", provider, recordingId } as const
      const jobId = recordingJobId(recordingId)
      yield* (yield* Jobs).put({ tenantId, jobId, dueAt: now, createdAt: now, job })
    })
  )
}, withSpan("applyRecordingReport"))
