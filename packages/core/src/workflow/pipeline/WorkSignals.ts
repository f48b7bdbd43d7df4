import { Cause, Clock, Effect, Semaphore } from "effect"
import { Ids } from "../../port/system/Ids.ts"
import { Signals } from "../../port/repository/pipeline/Signals.ts"
import { type StoreUnavailable, Transactions } from "../../port/system/Transactions.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { RunDelayed } from "./GatherRun.ts"
import { beginRun } from "./RunSignal.ts"
import { CpuShares } from "../budget/CpuShares.ts"
import {
  maxUnfinishedStarts,
  type Signal,
  maxSignalAttempts,
  signalBackoffMillis,
  signalLeaseMillis
} from "../../domain/classification/Signal.ts"
import { pollLoop } from "../worker/PollLoop.ts"

/** The number of signals to claim at once. Without model requests a batch ends well within the lease. */
const batch = 32

/**
 * The maximum number of signals outside the workers, which wait for a model or are costly. It exceeds the limit per
 * tenant, so one tenant cannot block the workers.
 */
export const maxDetachedSignals = 128

/** The maximum waiting time that a provider may request. */
const maxDelayMillis = 3_600_000

const finish = Effect.fnUntraced(function* ({ signalId, tenantId }: Signal) {
  return yield* (yield* Signals).finish(tenantId, signalId, "failed", yield* Clock.currentTimeMillis)
})

/** Fails a signal permanently after too many attempts and creates a review task. */
const giveUp = Effect.fnUntraced(function* (signal: Signal, title = "A message could not be handled automatically") {
  const { contactId, leadId, signalId, tenantId } = signal
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      if (!(yield* finish(signal))) return
      yield* (yield* Tasks).insert({
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
  yield* Effect.logError("failed to run a signal", cause).pipe(
    Effect.annotateLogs({ signal: signal.signalId, tenant: signal.tenantId, attempts: signal.attempts })
  )
  if (signal.attempts >= maxSignalAttempts) return yield* giveUp(signal)
  const dueAt = (yield* Clock.currentTimeMillis) + signalBackoffMillis(signal.attempts)
  yield* (yield* Signals).release(signal.tenantId, signal.signalId, dueAt, Cause.pretty(cause).slice(0, 500))
})

/**
 * Delays a signal whose model is unavailable, by the longer of the queue's backoff and the provider's requested wait.
 */
const putOff = Effect.fnUntraced(function* (signal: Signal, { reason, retryAfterMillis }: RunDelayed) {
  const { attempts, signalId, tenantId } = signal
  yield* Effect.logWarning("the language model did not answer", reason).pipe(
    Effect.annotateLogs({ signal: signalId, tenant: tenantId, attempts })
  )
  const requested = Math.min(retryAfterMillis ?? 0, maxDelayMillis)
  const dueAt = (yield* Clock.currentTimeMillis) + Math.max(signalBackoffMillis(attempts), requested)
  yield* (yield* Signals).release(tenantId, signalId, dueAt, reason.slice(0, 500))
})

/** Releases a signal immediately when its worker stops, so that another worker can claim it. */
const handBack = Effect.fnUntraced(function* ({ signalId, tenantId }: Signal) {
  const now = yield* Clock.currentTimeMillis
  yield* Effect.ignore((yield* Signals).release(tenantId, signalId, now, "the worker stopped"))
})

/** Returns a signal to the queue when its run fails. */
const orPutBack = <A, R>(signal: Signal, run: Effect.Effect<A, StoreUnavailable, R>) =>
  Effect.catchCause(run, (cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : putBack(signal, cause)))

/** Starts the run of a signal; the last attempt may not be delayed. Drops the signal of an archived tenant. */
const begin = (signal: Signal) =>
  Effect.flatMap(Tenants, (tenants) => tenants.get(signal.tenantId)).pipe(
    Effect.flatMap((tenant) => beginRun(tenant, signal, signal.attempts < maxSignalAttempts)),
    Effect.map(({ rest }) => rest),
    Effect.catchTag("TenantNotFound", () => Effect.as(finish(signal), null))
  )

/** The log annotations of a run. The event-loop watchdog reads the tenant from them. */
const ofSignal = ({ signalId, tenantId }: Signal) => ({ signal: signalId, tenant: tenantId })

/** Starts a signal. Returns null when it ended, else the remaining work to run outside the worker. */
const work = Effect.fnUntraced(function* (signal: Signal) {
  const begun = Effect.onInterrupt(orPutBack(signal, begin(signal)), () => handBack(signal))
  const rest = yield* Effect.annotateLogs(begun, ofSignal(signal))
  if (rest === null || rest === undefined) return null
  const ended = orPutBack(
    signal,
    Effect.catchTag(rest, "RunDelayed", (delayed) => putOff(signal, delayed))
  ).pipe(Effect.onInterrupt(() => handBack(signal)))
  return Effect.annotateLogs((yield* CpuShares).outside(signal.tenantId, "outside", ended), ofSignal(signal))
})

const warn = (what: string, { signalId, tenantId, unfinished }: Signal) =>
  Effect.logWarning(what).pipe(Effect.annotateLogs({ signal: signalId, tenant: tenantId, unfinished }))

/** Moves a signal with an unfinished start to the back of its tenant's queue. */
const putAside = Effect.fnUntraced(function* (signal: Signal) {
  yield* warn("moved a signal with an unfinished start to the back of its queue", signal)
  yield* (yield* Signals).putAside(signal.tenantId, signal.signalId, yield* Clock.currentTimeMillis)
})

/**
 * Runs suspects one after another. Each start is recorded first, so that after a crash only the running one counts as
 * unfinished. A suspect without remaining starts is not run again.
 */
const workSuspects = Effect.fnUntraced(function* <R>(
  suspects: ReadonlyArray<Signal>,
  each: (signal: Signal) => Effect.Effect<void, StoreUnavailable, R>
) {
  for (const signal of suspects) {
    if (signal.unfinished >= maxUnfinishedStarts) {
      yield* warn("stopped running a signal after repeated unfinished starts and created a review task", signal)
      yield* giveUp(signal, "Not handled automatically: the server stopped each time while it worked on this message")
    } else if (yield* (yield* Signals).begin(signal.tenantId, signal.signalId)) yield* each(signal)
  }
})

/** The result of the last claim. */
interface Look {
  /** True when a tenant with due work was not admitted. */
  passedOver: boolean
}

/** Claims due signals of the admitted tenants and applies `each` to them. Returns their number. */
const workClaimed = Effect.fnUntraced(function* <R>(
  look: Look,
  each: (signal: Signal) => Effect.Effect<void, StoreUnavailable, R>
) {
  const now = yield* Clock.currentTimeMillis
  const { admit } = yield* CpuShares
  look.passedOver = false
  const claimed = yield* (yield* Signals).claim(batch, now, now + signalLeaseMillis, (due) => {
    const admitted = admit(due, now)
    look.passedOver ||= admitted.length < due.length
    return admitted
  })
  const suspects = claimed.filter(({ suspect }) => suspect)
  const one = (signal: Signal): Effect.Effect<void, StoreUnavailable, R | Signals> =>
    signal.unfinished > 1 ? putAside(signal) : each(signal)
  yield* Effect.forEach(
    claimed.filter(({ suspect }) => !suspect),
    one,
    { concurrency: batch, discard: true }
  )
  yield* workSuspects(suspects, each)
  return claimed.length
})

/** Claims due signals and runs them to their end. Returns their number. */
export const workDueSignals = () =>
  workClaimed({ passedOver: false }, (signal) => Effect.flatMap(work(signal), (rest) => rest ?? Effect.void))

/**
 * Claims due signals and starts them. Work outside the worker runs in the background, so other signals do not wait for
 * it. At `maxDetachedSignals` the worker waits until one ends.
 */
const workBeside = (places: Semaphore.Semaphore, look: Look) =>
  workClaimed(look, (signal) =>
    Effect.flatMap(work(signal), (rest) =>
      rest === null
        ? Effect.void
        : Effect.andThen(places.take(1), Effect.forkScoped(Effect.ensuring(rest, places.release(1))))
    )
  )

/** Completes when work may be available: a signal is due, or a tenant that was not admitted may claim again. */
const waitAfter = Effect.fnUntraced(function* ({ passedOver }: Look, millis: number) {
  const signals = yield* Signals
  if (!passedOver) return yield* signals.wait(millis)
  const shares = yield* CpuShares
  return yield* Effect.raceFirst(signals.wait(millis), shares.wait(millis))
})

/**
 * Runs signals in a poll loop. It may be interrupted at any time: unfinished signals become due again, at the latest
 * when their lease expires.
 */
export const workSignals = Effect.flatMap(Semaphore.make(maxDetachedSignals), (places) => {
  const look: Look = { passedOver: false }
  return Effect.scoped(pollLoop(workBeside(places, look), (millis) => waitAfter(look, millis)))
})
