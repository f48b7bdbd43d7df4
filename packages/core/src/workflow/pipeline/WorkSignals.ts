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

/** Signals taken at once; all of them but those that ask a model are done well within the lease. */
const batch = 32

/**
 * Signals that may go on outside while the worker goes on with others: they wait for a model, or are costly. More than one
 * tenant can have at once, so that none of them stops the workers.
 */
export const maxDetachedSignals = 128

/** The longest that a provider may ask to be left alone for. */
const maxDelayMillis = 3_600_000

const finish = Effect.fnUntraced(function* ({ signalId, tenantId }: Signal) {
  return yield* (yield* Signals).finish(tenantId, signalId, "failed", yield* Clock.currentTimeMillis)
})

/** Sets a signal aside that fails again and again, and asks a person to look. */
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
        status: "open",
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
  yield* Effect.logError("A signal could not be worked", cause).pipe(
    Effect.annotateLogs({ signal: signal.signalId, tenant: signal.tenantId, attempts: signal.attempts })
  )
  if (signal.attempts >= maxSignalAttempts) return yield* giveUp(signal)
  const dueAt = (yield* Clock.currentTimeMillis) + signalBackoffMillis(signal.attempts)
  yield* (yield* Signals).release(signal.tenantId, signal.signalId, dueAt, Cause.pretty(cause).slice(0, 500))
})

/** Puts a signal off whose model gives no answer now: for as long as the queue waits, or the provider asks for. */
const putOff = Effect.fnUntraced(function* (signal: Signal, { reason, retryAfterMillis }: RunDelayed) {
  const { attempts, signalId, tenantId } = signal
  yield* Effect.logWarning("The language model gives no answer", reason).pipe(
    Effect.annotateLogs({ signal: signalId, tenant: tenantId, attempts })
  )
  const requested = Math.min(retryAfterMillis ?? 0, maxDelayMillis)
  const dueAt = (yield* Clock.currentTimeMillis) + Math.max(signalBackoffMillis(attempts), requested)
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
    Effect.flatMap((tenant) => beginRun(tenant, signal, signal.attempts < maxSignalAttempts)),
    Effect.map(({ rest }) => rest),
    Effect.catchTag("TenantNotFound", () => Effect.as(finish(signal), null))
  )

/** Log annotations of a run. The event-loop watchdog reads the tenant from them. */
const ofSignal = ({ signalId, tenantId }: Signal) => ({ signal: signalId, tenant: tenantId })

/** A signal begun, and ended unless something has to be done outside: then what does that and ends the signal. */
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

/** Puts a signal to the back of its tenant's queue whose start before did not finish. */
const putAside = Effect.fnUntraced(function* (signal: Signal) {
  yield* warn("A signal was started and not finished: it goes to the back of its queue", signal)
  yield* (yield* Signals).putAside(signal.tenantId, signal.signalId, yield* Clock.currentTimeMillis)
})

/**
 * Works suspects one after another. Each start is written down before it begins, so that of those that were taken together
 * none counts as started but the one that the server is at when it dies. One that has used up its starts is not run again.
 */
const workSuspects = Effect.fnUntraced(function* <R>(
  suspects: ReadonlyArray<Signal>,
  each: (signal: Signal) => Effect.Effect<void, StoreUnavailable, R>
) {
  for (const signal of suspects) {
    if (signal.unfinished >= maxUnfinishedStarts) {
      yield* warn("A signal was started again and again and never finished: a person reviews it", signal)
      yield* giveUp(signal, "Not handled automatically: the server stopped each time while it worked on this message")
    } else if (yield* (yield* Signals).begin(signal.tenantId, signal.signalId)) yield* each(signal)
  }
})

/** What a worker saw when it last looked for work. */
interface Look {
  /** Whether a tenant with something due got no turn. */
  passedOver: boolean
}

/** Takes what is due, of the tenants whose turn it is, and does `each` with it. Answers how many signals that were. */
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

/** Takes what is due and works it to its end; answers how many signals that were. */
export const workDueSignals = () =>
  workClaimed({ passedOver: false }, (signal) => Effect.flatMap(work(signal), (rest) => rest ?? Effect.void))

/**
 * Takes what is due and works it. What goes on outside goes on beside the worker, so that nobody else's signal waits for it;
 * only when too much of it is under way already, the worker waits for some of it.
 */
const workBeside = (places: Semaphore.Semaphore, look: Look) =>
  workClaimed(look, (signal) =>
    Effect.flatMap(work(signal), (rest) =>
      rest === null
        ? Effect.void
        : Effect.andThen(places.take(1), Effect.forkScoped(Effect.ensuring(rest, places.release(1))))
    )
  )

/** Completes when there may be something for a worker: something is due, or a tenant it passed over may get turns again. */
const waitAfter = Effect.fnUntraced(function* ({ passedOver }: Look, millis: number) {
  const signals = yield* Signals
  if (!passedOver) return yield* signals.wait(millis)
  const shares = yield* CpuShares
  return yield* Effect.raceFirst(signals.wait(millis), shares.wait(millis))
})

/**
 * Works signals for ever. Interrupting it is safe at any time: what was not finished comes back, at the latest with its
 * lease.
 */
export const workSignals = Effect.flatMap(Semaphore.make(maxDetachedSignals), (places) => {
  const look: Look = { passedOver: false }
  return Effect.scoped(pollLoop(workBeside(places, look), (millis) => waitAfter(look, millis)))
})
