/**
 * Ports to the pipeline's queue, runs, batches and guardrail records. Decisions about a signal belong to
 * `workflow/pipeline`.
 * Tests: `packages/testkit/src/suite/pipeline`, `packages/testkit/src/suite/tenant`.
 */
import type { Effect } from "effect"
import { Context } from "effect"
import type { SignalId } from "../../../domain/Id.ts"
import type { Signal } from "../../../domain/classification/Signal.ts"
import type { Wait } from "../../../domain/conversation/Wait.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Selects tenants from the tenants with due work. Only the selected tenants get a share of the claim. */
export type AdmitTenants = (due: ReadonlyArray<string>) => ReadonlyArray<string>

/** The durable queue between intake and pipeline. Times are epoch milliseconds. */
export class Signals extends Context.Service<
  Signals,
  {
    /**
     * Queues a signal that is due at `dueAt`. If the caller processes the signal itself, `dueAt` is the time until
     * which it processes the signal. If the caller fails, a worker takes the signal over at that time.
     */
    readonly enqueue: (signal: Signal, now: number, dueAt: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Claims up to `limit` due signals until `leaseUntil`. Each tenant gets an even share, and its longest due signals
     * are claimed first. Unused shares go to other tenants. When there are more tenants than `limit`, the tenants
     * alternate from claim to claim. The result is empty when nothing was due, or when `admit` selected no tenant.
     *
     * In the same statement, the claim counts an unfinished start for each signal. It does not do so for suspects,
     * because `begin` counts their starts.
     */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number,
      admit?: AdmitTenants
    ) => Effect.Effect<ReadonlyArray<Signal>, StoreUnavailable>
    /**
     * Ends a signal. Returns false when the signal had already ended, which means that its results are already stored.
     */
    readonly finish: (
      tenantId: string,
      signalId: SignalId,
      outcome: "done" | "failed",
      now: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Extends the lease of a signal to `until`. A lease that ends later does not change. */
    readonly hold: (tenantId: string, signalId: SignalId, until: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Marks a claimed signal as suspect, because an earlier start did not finish. The current claim no longer counts as
     * a start, because the signal was not processed. The signal moves to the end of its tenant's queue.
     */
    readonly putAside: (tenantId: string, signalId: SignalId, now: number) => Effect.Effect<void, StoreUnavailable>
    /**
     * Counts a start of a claimed suspect. Call it before the signal is processed. Returns false when the signal has
     * ended meanwhile.
     */
    readonly begin: (tenantId: string, signalId: SignalId) => Effect.Effect<boolean, StoreUnavailable>
    /** Returns a signal to the queue, due at `dueAt`. The current start then counts as finished. */
    readonly release: (
      tenantId: string,
      signalId: SignalId,
      dueAt: number,
      reason: string
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Returns the waits among these signals: those that are due after `now` and that no worker holds.
     */
    readonly waits: (
      tenantId: string,
      signalIds: ReadonlyArray<string>,
      now: number
    ) => Effect.Effect<ReadonlyArray<Wait>, StoreUnavailable>
    /**
     * Waits until work may be due, at most `maxWaitMillis`. Returns immediately when a signal was queued for workers or
     * released since the previous `wait` returned.
     */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
    /** Counts the signals that have not ended. */
    readonly backlog: Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/pipeline/Signals") {}
