import { Cause, Clock, Effect, Schedule } from "effect"
import {
  maxSignalAttempts,
  maxUnfinishedStarts,
  type Signal,
  signalBackoffMillis,
  signalLeaseMillis
} from "../../domain/classification/Signal.ts"
import { modelSilent, runFailed } from "../../domain/conversation/Wait.ts"
import { Signals } from "../../port/repository/pipeline/Signals.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Ids } from "../../port/system/Ids.ts"
import { type StoreUnavailable, Transactions } from "../../port/system/Transactions.ts"
import { CpuShares } from "../budget/CpuShares.ts"
import { waitFields } from "../sending/LogWait.ts"
import { defaults, type Queue, warnUnavailable, workOnce } from "../worker/Worker.ts"
import type { RunDelayed } from "./GatherRun.ts"
import { beginRun } from "./RunSignal.ts"
import { log } from "../LogEvents.ts"
import { addTask } from "../task/OpenTask.ts"

/** The maximum delay that a provider can request. */
const maxDelayMillis = 3_600_000

/**
 * Repeats a write until the database is available. Otherwise the start of the signal would remain unfinished, and an
 * outage of the database would count as a crash of the server. Another server may claim the signal meanwhile. A late
 * write then changes only the time of the next claim, because `finish` succeeds once per signal.
 */
const untilStored = <A, R>(write: Effect.Effect<A, StoreUnavailable, R>) =>
  Effect.retry(write, Schedule.spaced("1 second"))

const finish = Effect.fnUntraced(function* ({ signalId, tenantId }: Signal) {
  return yield* (yield* Signals).finish(tenantId, signalId, "failed", yield* Clock.currentTimeMillis)
})

/** Ends a signal as failed, because it had too many attempts, and creates a review task. */
const giveUp = Effect.fnUntraced(function* (signal: Signal, title = "A message could not be handled automatically") {
  const { contactId, leadId, signalId, tenantId } = signal
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      if (!(yield* finish(signal))) return
      yield* addTask({
        taskId: yield* (yield* Ids).next("task"),
        tenantId,
        type: "review",
        title,
        contactId,
        leadId,
        signalId,
        dueAt: null,
        createdAt: yield* Clock.currentTimeMillis
      })
    })
  )
})

const putBack = Effect.fnUntraced(function* (signal: Signal, cause: Cause.Cause<unknown>) {
  const { attempts, signalId, tenantId } = signal
  if (attempts >= maxSignalAttempts) {
    yield* log("signal.given_up", { attempts }, cause)
    return yield* untilStored(giveUp(signal))
  }
  const until = (yield* Clock.currentTimeMillis) + signalBackoffMillis(attempts)
  yield* log("signal.failed", { attempts, ...waitFields({ until, reason: runFailed }) }, cause)
  yield* untilStored((yield* Signals).release(tenantId, signalId, until, runFailed))
})

/**
 * Delays a signal whose model is unavailable. The delay is that of the queue's backoff, or the one that the provider
 * requests if that is longer.
 */
const putOff = Effect.fnUntraced(function* (signal: Signal, { reason, retryAfterMillis }: RunDelayed) {
  const { attempts, signalId, tenantId } = signal
  const requested = Math.min(retryAfterMillis ?? 0, maxDelayMillis)
  const until = (yield* Clock.currentTimeMillis) + Math.max(signalBackoffMillis(attempts), requested)
  yield* log("signal.delayed", { attempts, ...waitFields({ until, reason }) })
  yield* untilStored((yield* Signals).release(tenantId, signalId, until, modelSilent))
})

/** Releases a signal immediately when its worker stops, so that another worker can claim it. */
const handBack = Effect.fnUntraced(function* ({ signalId, tenantId }: Signal) {
  const now = yield* Clock.currentTimeMillis
  yield* Effect.ignore((yield* Signals).release(tenantId, signalId, now, "the worker stopped"))
})

/** Returns a signal to the queue when its run fails or its worker stops. */
const orPutBack = <A, R>(signal: Signal, run: Effect.Effect<A, StoreUnavailable, R>) =>
  run.pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.as(putBack(signal, cause), null)
    ),
    Effect.onInterrupt(() => handBack(signal))
  )

/**
 * Starts the run of a signal. The last attempt must not be delayed. The signal of an archived tenant ends without a
 * run.
 */
const begin = (signal: Signal) =>
  Effect.flatMap(Tenants, (tenants) => tenants.get(signal.tenantId)).pipe(
    Effect.flatMap((tenant) => beginRun(tenant, signal, signal.attempts < maxSignalAttempts)),
    Effect.map(({ rest }) => rest),
    Effect.catchTag("TenantNotFound", () => Effect.as(finish(signal), null))
  )

/**
 * Starts a signal. Returns null when the signal has ended. Otherwise returns the remaining work, which runs outside the
 * worker.
 */
const start = Effect.fnUntraced(function* (signal: Signal) {
  const rest = yield* orPutBack(signal, begin(signal))
  if (rest === null) return null
  const ended = orPutBack(
    signal,
    Effect.catchTag(rest, "RunDelayed", (delayed) => putOff(signal, delayed))
  )
  return (yield* CpuShares).outside(signal.tenantId, "outside", Effect.asVoid(ended))
})

/**
 * Runs a signal. If an earlier start of the signal did not finish, the signal becomes a suspect and moves to the back
 * of its tenant's queue. A start of a suspect is recorded before it runs, so that after a crash only the suspect that
 * was running counts as unfinished. A suspect that has used up its starts is not run again.
 */
const run = Effect.fnUntraced(
  function* (signal: Signal) {
    const { signalId, suspect, tenantId, unfinished } = signal
    const signals = yield* Signals
    if (!suspect && unfinished <= 1) return yield* start(signal)
    if (!suspect) {
      yield* log("signal.moved_back", { unfinished })
      yield* untilStored(signals.putAside(tenantId, signalId, yield* Clock.currentTimeMillis))
    } else if (unfinished >= maxUnfinishedStarts) {
      yield* log("signal.stopped", { unfinished })
      yield* giveUp(signal, "Not handled automatically: the server stopped during every attempt at this message")
    } else if (yield* signals.begin(tenantId, signalId)) return yield* start(signal)
    return null
  },
  Effect.catchTag("StoreUnavailable", (outage) => Effect.as(warnUnavailable(outage), null))
)

const open = Effect.gen(function* () {
  const signals = yield* Signals
  const shares = yield* CpuShares
  /** True when the last claim did not admit some tenant that has due work. */
  let passedOver = false
  return {
    claim: (limit: number, now: number) => {
      passedOver = false
      return signals.claim(limit, now, now + signalLeaseMillis, (due) => {
        const admitted = shares.admit(due, now)
        passedOver ||= admitted.length < due.length
        return admitted
      })
    },
    run,
    wait: (millis: number) =>
      passedOver ? Effect.raceFirst(signals.wait(millis), shares.wait(millis)) : signals.wait(millis)
  }
})

type Running = ReturnType<typeof run>

/** The services that a run needs, including its remaining work. */
type Needs = Effect.Services<Running> | Effect.Services<NonNullable<Effect.Success<Running>>>

/**
 * The queue of signals. A claim contains an even share for each admitted tenant (`CpuShares`). Runs without model
 * requests end well within the lease.
 */
export const signalQueue: Queue<Signal, Needs> = {
  ...defaults,
  name: "signals",
  // With two workers, one can compute while the other waits for its commit.
  workers: 2,
  slots: 32,
  batch: 32,
  refill: 32,
  // The maximum number of signals that wait for a model or are costly. It exceeds the limit per tenant, so a single
  // tenant cannot occupy all of them.
  maxRests: 128,
  isSerial: ({ suspect }) => suspect,
  failure: "failed to run a signal",
  about: ({ signalId, tenantId }) => ({ signal: signalId, tenant: tenantId }),
  open
}

/** Claims due signals once, and runs them to their end. Returns the number of these signals. */
export const workDueSignals = () => workOnce(signalQueue)
