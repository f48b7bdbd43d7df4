import { Cause, Clock, Effect, Semaphore } from "effect"
import { Ids } from "../port/Ids.ts"
import { Signals } from "../port/Signals.ts"
import type { StoreUnavailable } from "../port/StoreUnavailable.ts"
import { Tasks } from "../port/Tasks.ts"
import { Tenants } from "../port/Tenants.ts"
import { Transactions } from "../port/Transactions.ts"
import type { RunDelayed } from "./run/GatherRun.ts"
import { beginRun } from "./run/RunSignal.ts"
import { type Signal, signalAttempts, signalBackoffMillis, signalLeaseMillis } from "./Signal.ts"
import { workForever } from "../WorkForever.ts"

/** Signals taken at once; all of them but those that ask a model are done well within the lease. */
const batch = 32

/** Signals that may wait for a model while the worker goes on with others. */
export const askingAtOnce = 64

/** The longest that a provider may ask to be left alone for. */
const longestDelayMillis = 3_600_000

const finish = Effect.fnUntraced(function* ({ signalId, tenantId }: Signal) {
  return yield* (yield* Signals).finish(tenantId, signalId, "failed", yield* Clock.currentTimeMillis)
})

/** Sets a signal aside that fails again and again, and asks a person to look. */
const giveUp = Effect.fnUntraced(function* (signal: Signal) {
  const { contactId, leadId, signalId, tenantId } = signal
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      if (!(yield* finish(signal))) return
      yield* (yield* Tasks).insert({
        taskId: yield* (yield* Ids).next("task"),
        tenantId,
        type: "review",
        status: "open",
        title: "A message could not be handled automatically",
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
  yield* Effect.logError("A signal could not be worked", cause).pipe(
    Effect.annotateLogs({ signal: signal.signalId, tenant: signal.tenantId, attempts: signal.attempts })
  )
  if (signal.attempts >= signalAttempts) return yield* giveUp(signal)
  const dueAt = (yield* Clock.currentTimeMillis) + signalBackoffMillis(signal.attempts)
  yield* (yield* Signals).release(signal.tenantId, signal.signalId, dueAt, Cause.pretty(cause).slice(0, 500))
})

/** Puts a signal off whose model gives no answer now: for as long as the queue waits, or the provider asks for. */
const putOff = Effect.fnUntraced(function* (signal: Signal, { reason, retryAfterMillis }: RunDelayed) {
  const { attempts, signalId, tenantId } = signal
  yield* Effect.logWarning("The language model gives no answer", reason).pipe(
    Effect.annotateLogs({ signal: signalId, tenant: tenantId, attempts })
  )
  const asked = Math.min(retryAfterMillis ?? 0, longestDelayMillis)
  const dueAt = (yield* Clock.currentTimeMillis) + Math.max(signalBackoffMillis(attempts), asked)
  yield* (yield* Signals).release(tenantId, signalId, dueAt, reason.slice(0, 500))
})

/** Lets somebody else have a signal at once whose worker stops while the model thinks. */
const handBack = Effect.fnUntraced(function* ({ signalId, tenantId }: Signal) {
  const now = yield* Clock.currentTimeMillis
  yield* Effect.ignore((yield* Signals).release(tenantId, signalId, now, "the worker stopped"))
})

/** Gives a signal back that its run could not end. */
const orPutBack = <A, R>(signal: Signal, run: Effect.Effect<A, StoreUnavailable, R>) =>
  Effect.catchCause(run, (cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : putBack(signal, cause)))

/** Begins a signal, at its last attempt for better or worse. A tenant that is no longer served gets nothing. */
const begin = (signal: Signal) =>
  Effect.flatMap(Tenants, (tenants) => tenants.get(signal.tenantId)).pipe(
    Effect.flatMap((tenant) => beginRun(tenant, signal, signal.attempts < signalAttempts)),
    Effect.map(({ rest }) => rest),
    Effect.catchTag("TenantNotFound", () => Effect.as(finish(signal), null))
  )

/** A signal begun, and ended unless a model has to be asked: then what asks it and ends the signal. */
const work = Effect.fnUntraced(function* (signal: Signal) {
  const rest = yield* orPutBack(signal, begin(signal))
  if (rest === null || rest === undefined) return null
  return orPutBack(
    signal,
    Effect.catchTag(rest, "RunDelayed", (delayed) => putOff(signal, delayed))
  ).pipe(Effect.onInterrupt(() => handBack(signal)))
})

const claimDue = Effect.fnUntraced(function* () {
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Signals).claim(batch, now, now + signalLeaseMillis)
})

/** Takes what is due and works it to its end; answers how many signals that were. */
export const workDueSignals = Effect.fnUntraced(function* () {
  const due = yield* claimDue()
  const both = (signal: Signal) => Effect.flatMap(work(signal), (rest) => rest ?? Effect.void)
  yield* Effect.forEach(due, both, { concurrency: batch, discard: true })
  return due.length
})

/**
 * Takes what is due and works it. What asks a model goes on beside the worker, so that nobody else's signal waits for the
 * answer; only when too many wait already, the worker waits for one of them, no longer than a model may take.
 */
const workBeside = Effect.fnUntraced(function* (asking: Semaphore.Semaphore) {
  const due = yield* claimDue()
  const aside = (signal: Signal) =>
    Effect.flatMap(work(signal), (rest) =>
      rest === null
        ? Effect.void
        : Effect.andThen(asking.take(1), Effect.forkScoped(Effect.ensuring(rest, asking.release(1))))
    )
  yield* Effect.forEach(due, aside, { concurrency: batch, discard: true })
  return due.length
})

/**
 * Works signals for ever. Interrupting it is safe at any time: what was not finished comes back, at the latest with its
 * lease.
 */
export const workSignals = Effect.flatMap(Semaphore.make(askingAtOnce), (asking) =>
  Effect.scoped(workForever(workBeside(asking), (millis) => Effect.flatMap(Signals, (signals) => signals.wait(millis))))
)
