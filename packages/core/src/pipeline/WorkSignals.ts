import { Cause, Clock, Effect } from "effect"
import { Ids } from "../port/Ids.ts"
import { Signals } from "../port/Signals.ts"
import { Tasks } from "../port/Tasks.ts"
import { Tenants } from "../port/Tenants.ts"
import { Transactions } from "../port/Transactions.ts"
import { runSignal } from "./RunSignal.ts"
import { type Signal, signalAttempts, signalBackoffMillis, signalLeaseMillis } from "./Signal.ts"
import { workForever } from "../WorkForever.ts"

/** Signals taken at once; all of them are done well within the lease. */
const batch = 32

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

/** Works one signal to its end, or gives it back for later. A tenant that is no longer served gets nothing. */
const work = (signal: Signal) =>
  Effect.flatMap(Tenants, (tenants) => tenants.get(signal.tenantId)).pipe(
    Effect.flatMap((tenant) => runSignal(tenant, signal)),
    Effect.catchTag("TenantNotFound", () => finish(signal)),
    Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : putBack(signal, cause)))
  )

/** Takes what is due and works it; answers how many signals that were. */
export const workDueSignals = Effect.fnUntraced(function* () {
  const now = yield* Clock.currentTimeMillis
  const due = yield* (yield* Signals).claim(batch, now, now + signalLeaseMillis)
  yield* Effect.forEach(due, work, { concurrency: batch, discard: true })
  return due.length
})

/** Works signals for ever. Interrupting it is safe at any time: what was not finished comes back with its lease. */
export const workSignals = workForever(workDueSignals(), (millis) =>
  Effect.flatMap(Signals, (signals) => signals.wait(millis))
)
