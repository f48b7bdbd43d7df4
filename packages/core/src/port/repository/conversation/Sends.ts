import type { Effect } from "effect"
import { Context } from "effect"
import type { Reservation, ReservationState } from "../../../domain/sending/Reservation.ts"
import type { ContactId, MessageId, ThreadId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** How a send ends. */
export type SendOutcome = Extract<ReservationState, "confirmed" | "failed" | "unknown">

/** A send and the attempt at it: what another has taken over meanwhile cannot be changed with an older attempt. */
export type SendAttempt = Pick<Reservation, "tenantId" | "messageId" | "attempts">

/** The same with the channel it goes by: whoever counts how sends end counts by that. */
export type SendAttemptOnChannel = SendAttempt & Pick<Reservation, "channel">

/** Automatic replies that the loop budget counts. */
export interface ReplyCounts {
  readonly inThread: number
  readonly toCorrespondent: number
}

/** Automatic texts that the loop budget counts. */
export interface TextCounts {
  readonly inConversation: number
  readonly toCorrespondent: number
}

/** Whose state may become what: an outcome heard late still counts where nobody else has tried since. */
export const settleableStates = (outcome: SendOutcome): ReadonlyArray<ReservationState> =>
  outcome === "unknown" ? ["handed_over"] : ["reserved", "handed_over", "unknown"]

/** Whether a send has not ended. */
export const isOpen = ({ state }: Reservation): boolean => state === "reserved" || state === "handed_over"

/** Emails and texts on their way out, kept before they are handed over. Times are epoch milliseconds. */
export class Sends extends Context.Service<
  Sends,
  {
    /** Keeps a send. Its key must be free; ask `findByKey` in the same unit. */
    readonly reserve: (reservation: Reservation) => Effect.Effect<void, StoreUnavailable>
    readonly find: (tenantId: string, messageId: MessageId) => Effect.Effect<Reservation | null, StoreUnavailable>
    readonly findByKey: (tenantId: string, key: string) => Effect.Effect<Reservation | null, StoreUnavailable>
    /** Gives a key free that has served its time. */
    readonly retireKey: (tenantId: string, messageId: MessageId) => Effect.Effect<void, StoreUnavailable>
    /** The newest slots of a tenant after a time, newest first. */
    readonly slots: (
      tenantId: string,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /**
     * Automatic replies: messages of the assistant in the thread that are newer than the last one of an agent, and sends
     * to the address from `since` on that no person wrote.
     */
    readonly replyCounts: (
      tenantId: string,
      threadId: ThreadId,
      correspondent: string,
      since: number
    ) => Effect.Effect<ReplyCounts, StoreUnavailable>
    /**
     * Automatic texts: those of the assistant in the contact's conversation that are newer than the last text of an agent,
     * and those to the number (E.164) from `since` on.
     */
    readonly textCounts: (
      tenantId: string,
      contactId: ContactId,
      phone: string,
      since: number
    ) => Effect.Effect<TextCounts, StoreUnavailable>
    /**
     * Takes up to `limit` sends whose time has come and holds them until `leaseUntil`, shared out among the tenants as
     * `Signals.claim` does. One that is `handed_over` lost its server on the way: its attempt stays, and it must not be
     * handed over again.
     */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<Reservation>, StoreUnavailable>
    /** From `reserved` to `handed_over`, held until `leaseUntil`. False: it is not this attempt's any more. */
    readonly handOver: (held: SendAttempt, leaseUntil: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Ends it. False: it has ended, or another attempt has it. */
    readonly settle: (
      held: SendAttemptOnChannel,
      outcome: SendOutcome,
      reason: string | null,
      now: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Back to `reserved`, to be taken again from `dueAt` on. */
    readonly release: (held: SendAttempt, dueAt: number, reason: string) => Effect.Effect<boolean, StoreUnavailable>
    /** As `Signals.wait`. */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
    /** Sends that have not ended. */
    readonly backlog: Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/conversation/Sends") {}
