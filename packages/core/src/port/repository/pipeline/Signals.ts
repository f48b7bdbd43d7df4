import type { Effect } from "effect"
import { Context } from "effect"
import type { SignalId } from "../../../domain/Id.ts"
import type { Signal } from "../../../domain/classification/Signal.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Which of the tenants that were found to have something due get a turn now. */
export type AdmitTenants = (due: ReadonlyArray<string>) => ReadonlyArray<string>

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
      admit?: AdmitTenants
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
     * somebody last came through here, else when that happens, else when `maxWaitMillis` have passed.
     */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
    /** Signals that have not ended. */
    readonly backlog: Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/pipeline/Signals") {}
