import type { Effect } from "effect"
import { Context } from "effect"
import type { Errand, QueuedErrand } from "../../../domain/job/Errand.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** An errand and the attempt at it: what another has taken over meanwhile cannot be changed with an older attempt. */
export type HeldErrand = Pick<QueuedErrand, "tenantId" | "errandId" | "attempts">

/** What is to be done at providers'. Times are epoch milliseconds. */
export class Errands extends Context.Service<
  Errands,
  {
    /** Keeps an errand for the workers; one that is kept already under its id stays as it is. */
    readonly put: (queued: Omit<QueuedErrand, "attempts" | "reason">) => Effect.Effect<void, StoreUnavailable>
    /**
     * As `put`; one that is kept already is to be done once more: who holds it can neither finish nor release it any more,
     * and it stays until its lease ends or somebody hurries it.
     */
    readonly renew: (queued: Omit<QueuedErrand, "attempts" | "reason">) => Effect.Effect<void, StoreUnavailable>
    /** Makes an errand due, whatever it waits for. */
    readonly hurry: (tenantId: string, errandId: string, now: number) => Effect.Effect<void, StoreUnavailable>
    /** As `Signals.claim`. */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<QueuedErrand>, StoreUnavailable>
    /** It is done, and gone. False: another attempt has it, or it is gone already. */
    readonly finish: (held: HeldErrand) => Effect.Effect<boolean, StoreUnavailable>
    /** To be taken again from `dueAt` on, as `errand` says then. False: another attempt has it. */
    readonly release: (
      held: HeldErrand,
      dueAt: number,
      errand: Errand,
      reason: string | null
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** As `Signals.wait`. */
    readonly wait: (atMostMillis: number) => Effect.Effect<void>
    readonly backlog: Effect.Effect<number, StoreUnavailable>
    /** How many of a tenant are kept whose ids begin so, whether somebody holds them or not; `beginning` is no empty text. */
    readonly waiting: (tenantId: string, beginning: string) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/webhook/Errands") {}
