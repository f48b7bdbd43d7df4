import { Context, Effect, Layer } from "effect"
import type { SignalId } from "../../domain/Id.ts"
import type { Signal } from "../../domain/classification/Signal.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { makeFairShares } from "../system/FairShares.ts"
import { addNew, keyOf, MemoryState, type QueuedSignal } from "../../memory/MemoryState.ts"
import { makeWakeUp } from "../system/WakeUp.ts"

const hold = ({ signal, ...queued }: QueuedSignal, leaseUntil: number): QueuedSignal => {
  const { attempts, suspect, unfinished } = signal
  return {
    ...queued,
    signal: { ...signal, attempts: attempts + 1, unfinished: suspect ? unfinished : unfinished + 1 },
    dueAt: leaseUntil
  }
}

/** A queued signal with one unfinished start less, due at a time. */
const giveBack = ({ signal, ...queued }: QueuedSignal, dueAt: number): QueuedSignal => ({
  ...queued,
  signal: { ...signal, unfinished: Math.max(0, signal.unfinished - 1) },
  dueAt
})

const suspected = ({ signal, ...queued }: QueuedSignal): QueuedSignal => ({
  ...queued,
  signal: { ...signal, suspect: true }
})

const started = ({ signal, ...queued }: QueuedSignal): QueuedSignal => ({
  ...queued,
  signal: { ...signal, unfinished: signal.unfinished + 1 }
})

/** Which of the tenants that were found to have something due get a turn now. */
export type Admit = (due: ReadonlyArray<string>) => ReadonlyArray<string>

/** The durable queue between intake and pipeline. Times are epoch milliseconds. */
export class Signals extends Context.Service<
  Signals,
  {
    /**
     * Queues a signal, due now or from `dueAt` on. Who works it at once lets it become due when that ought to be done, so
     * that a worker gets it if the caller dies.
     */
    readonly enqueue: (signal: Signal, now: number, dueAt: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Takes up to `limit` signals that are due and holds them until `leaseUntil`: an even share of each tenant that has
     * some, the longest due first, and what a tenant leaves of its share goes to the others. With more tenants than
     * places each gets its turn. Who takes nothing has seen that nothing was due, or that `admit` gave nobody a turn.
     * Taking a signal counts as a start that has not finished, in the same statement; that of a suspect counts with `begin`.
     */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number,
      admit?: Admit
    ) => Effect.Effect<ReadonlyArray<Signal>, StoreUnavailable>
    /** Ends a signal. False: it had ended before, and what the caller was about to write is there already. */
    readonly finish: (
      tenantId: string,
      signalId: SignalId,
      outcome: "done" | "failed",
      now: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Holds a signal until `until`, or for as long as it is held already: what is being done with it takes longer. */
    readonly hold: (tenantId: string, signalId: SignalId, until: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Makes a signal a suspect that was taken and not begun because a start before did not finish: it goes to the back of
     * its tenant's queue, and is no start.
     */
    readonly putAside: (tenantId: string, signalId: SignalId, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Counts a start of a suspect that was taken, before it is worked. False: it has ended meanwhile. */
    readonly begin: (tenantId: string, signalId: SignalId) => Effect.Effect<boolean, StoreUnavailable>
    /** Gives a signal back, to be taken again from `dueAt` on. The start is finished. */
    readonly release: (
      tenantId: string,
      signalId: SignalId,
      dueAt: number,
      reason: string
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Completes when something may have become due: at once after a signal was queued for the workers or given back since
     * somebody last came through here, else when that happens, else when `atMostMillis` have passed.
     */
    readonly wait: (atMostMillis: number) => Effect.Effect<void>
    /** Signals that have not ended. */
    readonly backlog: Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/Signals") {
  static readonly layerMemory: Layer.Layer<Signals> = Layer.effect(
    Signals,
    Effect.map(MemoryState, (state) => {
      const { wait, wake } = makeWakeUp()
      const due = makeFairShares<QueuedSignal>(({ dueAt, signal: { signalId, tenantId } }) => ({
        tenantId,
        id: signalId,
        dueAt
      }))
      const open = () => [...state.signals.values()].filter((queued) => queued.state === "queued")
      const change = (tenantId: string, signalId: string, to: (queued: QueuedSignal) => QueuedSignal): boolean => {
        const key = keyOf(tenantId, signalId)
        const queued = state.signals.get(key)
        if (queued === undefined || queued.state !== "queued") return false
        state.signals.set(key, to(queued))
        return true
      }
      return Signals.of({
        enqueue: (signal, now, notBefore) => {
          const dueAt = Math.max(now, notBefore)
          return Effect.map(
            addNew(state.signals, keyOf(signal.tenantId, signal.signalId), { signal, state: "queued", dueAt }),
            () => {
              if (dueAt <= now) wake()
            }
          )
        },
        claim: (limit, now, leaseUntil, admit) =>
          Effect.sync(() =>
            due(open(), limit, now, admit).map((queued) => {
              const held = hold(queued, leaseUntil)
              state.signals.set(keyOf(held.signal.tenantId, held.signal.signalId), held)
              return held.signal
            })
          ),
        finish: (tenantId, signalId, outcome) =>
          Effect.sync(() => change(tenantId, signalId, (queued) => ({ ...queued, state: outcome }))),
        hold: (tenantId, signalId, until) =>
          Effect.sync(() => {
            change(tenantId, signalId, (queued) => ({ ...queued, dueAt: Math.max(queued.dueAt, until) }))
          }),
        putAside: (tenantId, signalId, now) =>
          Effect.sync(() => {
            if (change(tenantId, signalId, (queued) => suspected(giveBack(queued, now)))) wake()
          }),
        begin: (tenantId, signalId) => Effect.sync(() => change(tenantId, signalId, started)),
        release: (tenantId, signalId, dueAt) =>
          Effect.sync(() => {
            if (change(tenantId, signalId, (queued) => giveBack(queued, dueAt))) wake()
          }),
        wait,
        backlog: Effect.sync(() => open().length)
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
