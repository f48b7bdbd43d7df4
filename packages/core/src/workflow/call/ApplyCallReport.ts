import { Clock, Effect } from "effect"
import { recordingJobId } from "../../domain/call/Call.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { ProviderEvents } from "../../port/repository/webhook/ProviderEvents.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { applyReports } from "./FinishCall.ts"
import type { CallReport } from "../../domain/call/CallReport.ts"

/** Which call a provider speaks of, and the provider's own name of what it tells. */
export interface CallEvent {
  readonly tenantId: string
  readonly callId: string
  readonly provider: string
  readonly providerEventId: string
}

/** The call that a provider event is about, unless it came before; null: there is nothing to do. */
const callOf = Effect.fnUntraced(function* ({ callId, providerEventId, provider, tenantId }: CallEvent, now: number) {
  if (!(yield* (yield* ProviderEvents).receive(tenantId, provider, providerEventId, now))) return null
  return yield* (yield* Calls).get(tenantId, callId).pipe(Effect.catchTag("CallNotFound", () => Effect.succeed(null)))
})

/**
 * Takes what a provider tells of a call, once and only forward. When it is over, its message, its signal and, where nobody
 * took it, a task are written with it. Answers with the call as it stands; null: nobody here knows it, or it came before.
 */
export const applyCallReport = Effect.fn("applyCallReport")(function* (providerEvent: CallEvent, report: CallReport) {
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
})

/** What a provider tells of a recording. */
export interface RecordingReport {
  readonly recordingId: string
  readonly state: "ready" | "absent"
  readonly seconds: number | null
}

/** Takes what a provider tells of a recording. One of a call that was erased meanwhile is deleted at the provider. */
export const applyRecordingReport = Effect.fn("applyRecordingReport")(function* (
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
        // Of a call that was passed on there is more than one: what is not there takes away nothing that is.
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
})
