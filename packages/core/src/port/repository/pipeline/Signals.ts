/**
 * Ports to the pipeline's queue, runs, batches and guardrail records. Decisions about a signal belong to
 * `workflow/pipeline`.
 * Tests: `packages/testkit/src/suite/pipeline`, `packages/testkit/src/suite/tenant`.
 */
import type { Effect } from "effect"
import { Context } from "effect"
import type { SignalId } from "../../../domain/Id.ts"
import type { Signal } from "../../../domain/classification/Signal.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Selects from the tenants with due work those that get a share now. */
export type AdmitTenants = (due: ReadonlyArray<string>) => ReadonlyArray<string>

/** The durable queue between intake and pipeline. Times are epoch milliseconds. */
export class Signals extends Context.Service<
  Signals,
  {
    /**
     * Queues a signal, due immediately or at `dueAt`. A caller that processes the signal itself sets `dueAt` to the end
     * of its own processing, so that a worker takes over when the caller dies.
     */
    readonly enqueue: (signal: Signal, now: number, dueAt: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Claims up to `limit` due signals until `leaseUntil`. Each tenant gets an even share, longest due first; unused
     * shares go to other tenants. When there are more tenants than places, tenants alternate. An empty result means
     * that nothing was due or that `admit` selected no tenant.
     *
     * The claim also counts an unfinished start for each signal in the same statement. Suspects are an exception:
     * `begin` counts their starts.
     */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number,
      admit?: AdmitTenants
    ) => Effect.Effect<ReadonlyArray<Signal>, StoreUnavailable>
    /** Ends a signal. Returns false when it had already ended: the caller's results are stored already. */
    readonly finish: (
      tenantId: string,
      signalId: SignalId,
      outcome: "done" | "failed",
      now: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Extends the lease of a signal to `until`. A longer lease does not change. */
    readonly hold: (tenantId: string, signalId: SignalId, until: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Marks a claimed signal as suspect, because an earlier start did not finish. The signal was not started: its claim
     * no longer counts as a start, and it moves to the end of its tenant's queue.
     */
    readonly putAside: (tenantId: string, signalId: SignalId, now: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Counts a start of a claimed suspect before it is processed. Returns false when the signal has ended meanwhile.
     */
    readonly begin: (tenantId: string, signalId: SignalId) => Effect.Effect<boolean, StoreUnavailable>
    /** Returns a signal to the queue, due at `dueAt`. Its start counts as finished. */
    readonly release: (
      tenantId: string,
      signalId: SignalId,
      dueAt: number,
      reason: string
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Waits until work may be due, at most `maxWaitMillis`. Completes immediately when a signal was queued for workers
     * or released since the previous `wait` completed.
     */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
    /** Counts the signals that have not ended. */
    readonly backlog: Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/pipeline/Signals") {}
