import { Clock, Effect } from "effect"
import { type Call, type CallJob, isOver, settleJobId } from "../../domain/call/Call.ts"
import { decidingLeg, lastKnown, reportsOfLegs } from "../../domain/call/CallLegs.ts"
import { again, done, type JobOutcome, type QueuedJob } from "../../domain/job/Job.ts"
import { VoiceProvider } from "../../port/provider/VoiceProvider.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { applyReports } from "./FinishCall.ts"

type Settling = QueuedJob<Extract<CallJob, { readonly kind: "settle_call" }>>

/** After this long without a word of a call the provider is asked how it stands. */
export const settleAfterMillis = 600_000

/** The longest wait between two looks at a call that goes on. */
const maxWaitMillis = 3_600_000

/** No call is longer (https://www.twilio.com/docs/voice/api/call-resource, `TimeLimit`). */
export const maxCallMillis = 86_400_000

const find = Effect.fnUntraced(function* (tenantId: string, callId: string) {
  const calls = yield* Calls
  return yield* calls.get(tenantId, callId).pipe(Effect.catchTag("CallNotFound", () => Effect.succeed(null)))
})

/** A server died while it placed the call, or its answer was lost with the store: it is not dialled again. */
const markUnknown = Effect.fnUntraced(function* (tenantId: string, callId: string) {
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const call = yield* find(tenantId, callId)
      if (call?.status !== "queued" || call.providerCallId !== null) return call
      const reason = "nothing was heard of it after it was handed over"
      const unknown: Call = { ...call, status: "unknown", reason, updatedAt: yield* Clock.currentTimeMillis }
      yield* (yield* Calls).update(unknown)
      return unknown
    })
  )
})

/** Ends a call that nobody can say anything of any more, a day after the last that was heard. */
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
      const reported: Call = { ...ended, reason: `the provider says nothing of it: ${why}`.slice(0, 500) }
      yield* (yield* Calls).update(reported)
      return reported
    })
  )
})

/** Writes down how the provider says that it stands; what was told meanwhile counts too. */
const lookUp = Effect.fnUntraced(function* (call: Call, legId: string) {
  const { callId, tenantId } = call
  const legs = yield* (yield* VoiceProvider).legs(legId)
  const tenant = yield* (yield* Tenants).get(tenantId)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const there = yield* find(tenantId, callId)
      // Passed on meanwhile: another leg decides now.
      if (there === null || decidingLeg(there)?.legId !== legId) return there
      return yield* applyReports(tenant, there, reportsOfLegs(there, legs, yield* Clock.currentTimeMillis))
    })
  )
})

/** A call as it stands once the provider has been asked, where there is somebody to ask. */
const requested = Effect.fnUntraced(function* (call: Call, quiet: number) {
  const leg = decidingLeg(call)
  const { name } = yield* VoiceProvider
  // Nobody knows it by name: it stays unknown, unless the provider tells of it.
  if (leg === null) return quiet < maxCallMillis ? call : null
  const silent = (reason: string) => (quiet < maxCallMillis ? Effect.succeed(call) : giveUp(call, reason))
  if (name !== call.provider) return yield* silent(`${call.provider} is not set up any more`)
  return yield* lookUp(call, leg.legId).pipe(
    Effect.catchTags({
      VoiceGone: ({ reason }) => silent(reason),
      VoiceRefused: ({ reason }) => silent(reason)
    })
  )
})

/**
 * Looks after a call until it is over: one whose answer was lost becomes `unknown`, and one of which nothing is told any
 * more (a provider event was lost, or this server was down) is closed as the provider says. What goes on is looked at again, ever
 * more seldom.
 */
export const settleCall = ({ job, tenantId }: Settling) =>
  Effect.gen(function* () {
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
      VoiceUnavailable: ({ reason }) => Effect.succeed(again(reason)),
      VoiceOutcomeUnknown: ({ reason }) => Effect.succeed(again(reason))
    })
  )

/**
 * Sees to it that a call comes to its end here, also when nobody tells of it: from `dueAt` on it is looked after. Runs
 * inside the unit of work that begins the call.
 */
export const scheduleSettleCall = Effect.fnUntraced(function* ({ callId, startedAt, tenantId }: Call, dueAt: number) {
  const job = { kind: "settle_call", callId } as const
  const jobId = settleJobId(callId)
  yield* (yield* Jobs).put({ tenantId, jobId, dueAt, createdAt: startedAt, job })
})
