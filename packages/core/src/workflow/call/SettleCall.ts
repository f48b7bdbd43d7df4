import { Clock, Effect } from "effect"
import { type Call, type CallJob, isOver, settleJobId } from "../../domain/call/Call.ts"
import { decidingLeg, lastKnown, reportsOfLegs } from "../../domain/call/CallLegs.ts"
import { done, type JobOutcome, type QueuedJob } from "../../domain/job/Job.ts"
import { behaviorAfter } from "../../domain/provider/ProviderBehavior.ts"
import { VoiceProvider } from "../../port/provider/VoiceProvider.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { retryLater } from "../provider/AfterFailure.ts"
import { applyReports } from "./FinishCall.ts"

type Settling = QueuedJob<Extract<CallJob, { readonly kind: "settle_call" }>>

/** The time without a report after which the server asks the provider for the state of a call. */
export const settleAfterMillis = 600_000

/** The maximum delay between two requests for the state of an ongoing call. */
const maxWaitMillis = 3_600_000

/** The maximum length of a call (https://www.twilio.com/docs/voice/api/call-resource, `TimeLimit`). */
export const maxCallMillis = 86_400_000

const find = Effect.fnUntraced(function* (tenantId: string, callId: string) {
  const calls = yield* Calls
  return yield* calls.get(tenantId, callId).pipe(Effect.catchTag("CallNotFound", () => Effect.succeed(null)))
})

/**
 * Marks a call without a response from the provider as `unknown`. This happens when the server stopped while it placed
 * the call, or when the response could not be stored. The call is not dialled again.
 */
const markUnknown = Effect.fnUntraced(function* (tenantId: string, callId: string) {
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const call = yield* find(tenantId, callId)
      if (call?.status !== "queued" || call.providerCallId !== null) return call
      const reason = "no report was received after the call was placed"
      const unknown: Call = { ...call, status: "unknown", reason, updatedAt: yield* Clock.currentTimeMillis }
      yield* (yield* Calls).update(unknown)
      return unknown
    })
  )
})

/** Ends a call when the provider has had no information about it for one day after its last report. */
const giveUp = Effect.fnUntraced(function* (call: Call, why: string) {
  const { callId, tenantId } = call
  const tenant = yield* (yield* Tenants).get(tenantId)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const there = yield* find(tenantId, callId)
      if (there === null || there.updatedAt !== call.updatedAt) return there
      const ended = yield* applyReports(tenant, there, [lastKnown(there)])
      if (ended.status !== "failed") return ended
      const reported: Call = {
        ...ended,
        reason: `the provider has no information about the call: ${why}`.slice(0, 500)
      }
      yield* (yield* Calls).update(reported)
      return reported
    })
  )
})

/** Reads the state of a call from the provider and stores it. Reports that have arrived meanwhile are kept. */
const lookUp = Effect.fnUntraced(function* (call: Call, legId: string) {
  const { callId, tenantId } = call
  const legs = yield* (yield* VoiceProvider).legs(legId)
  const tenant = yield* (yield* Tenants).get(tenantId)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const there = yield* find(tenantId, callId)
      // The call was transferred meanwhile, so another leg now decides about its state.
      if (there === null || decidingLeg(there)?.legId !== legId) return there
      return yield* applyReports(tenant, there, reportsOfLegs(there, legs, yield* Clock.currentTimeMillis))
    })
  )
})

/** Returns the call after a request to its provider. Returns it unchanged when the provider cannot be asked. */
const requested = Effect.fnUntraced(function* (call: Call, quiet: number) {
  const leg = decidingLeg(call)
  const { name } = yield* VoiceProvider
  // The provider has reported no leg of this call, so the call cannot be looked up.
  if (leg === null) return quiet < maxCallMillis ? call : null
  const silent = (reason: string) => (quiet < maxCallMillis ? Effect.succeed(call) : giveUp(call, reason))
  if (name !== call.provider) return yield* silent(`${call.provider} is no longer configured`)
  return yield* lookUp(call, leg.legId).pipe(
    Effect.catchIf(
      (failure) => failure._tag === "ProviderFailure" && behaviorAfter(failure) === "give_up",
      ({ message }) => silent(message)
    )
  )
})

/**
 * Follows a call until it ends. A call whose response was lost becomes `unknown`. If reports of a call are missing, for
 * example because an event was lost or this server was down, the call gets the state that the provider returns. An
 * ongoing call is checked at growing intervals.
 */
export const settleCall = (queued: Settling) =>
  Effect.gen(function* () {
    const { job, tenantId } = queued
    const call: Call | null = yield* markUnknown(tenantId, job.callId)
    if (call === null || isOver(call)) return done
    const now = yield* Clock.currentTimeMillis
    const quiet = now - call.updatedAt
    const after: Call | null = quiet < settleAfterMillis ? call : yield* requested(call, quiet)
    if (after === null || isOver(after)) return done
    const wait = Math.min(Math.max(quiet, settleAfterMillis), maxWaitMillis)
    return { _tag: "Later", dueAt: now + wait, job, reason: null } satisfies JobOutcome
  }).pipe(
    Effect.catchTags({
      TenantNotFound: () => Effect.succeed(done),
      ProviderFailure: (failure) => retryLater(queued, failure)
    })
  )

/**
 * Schedules the job that follows the call, from `dueAt` on. The job ends the call even if the provider reports nothing.
 * Runs inside the unit of work that starts the call.
 */
export const scheduleSettleCall = Effect.fnUntraced(function* ({ callId, startedAt, tenantId }: Call, dueAt: number) {
  const job = { kind: "settle_call", callId } as const
  const jobId = settleJobId(callId)
  yield* (yield* Jobs).put({ tenantId, jobId, dueAt, createdAt: startedAt, job })
})
