import type { Effect } from "effect"
import { Context } from "effect"
import type { Reservation, ReservationState } from "../../../domain/sending/Reservation.ts"
import type { ContactId, MessageId, ThreadId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The final states of a send. */
export type SendOutcome = Extract<ReservationState, "confirmed" | "failed" | "unknown">

/** One attempt at a send. When a later attempt has taken over, calls with the earlier attempt change nothing. */
export type SendAttempt = Pick<Reservation, "tenantId" | "messageId" | "attempts">

/** One attempt at a send with its channel, by which metrics count the outcome. */
export type SendAttemptOnChannel = SendAttempt & Pick<Reservation, "channel">

/** The automatic replies that count towards the loop limit. */
export interface ReplyCounts {
  readonly inThread: number
  readonly toCorrespondent: number
}

/** The automatic text messages that count towards the loop limit. */
export interface TextCounts {
  readonly inConversation: number
  readonly toCorrespondent: number
}

/**
 * Returns the states that may change to an outcome. A late outcome still applies to a released send, as long as no
 * later attempt has started.
 */
export const settleableStates = (outcome: SendOutcome): ReadonlyArray<ReservationState> =>
  outcome === "unknown" ? ["handed_over"] : ["reserved", "handed_over", "unknown"]

/** Returns true while a send has no outcome. */
export const isOpen = ({ state }: Reservation): boolean => state === "reserved" || state === "handed_over"

/** Outbound emails and text messages, stored before they are handed over. Times are epoch milliseconds. */
export class Sends extends Context.Service<
  Sends,
  {
    /** Stores a send. Its key must be free: call `findByKey` in the same unit of work first. */
    readonly reserve: (reservation: Reservation) => Effect.Effect<void, StoreUnavailable>
    readonly find: (tenantId: string, messageId: MessageId) => Effect.Effect<Reservation | null, StoreUnavailable>
    readonly findByKey: (tenantId: string, key: string) => Effect.Effect<Reservation | null, StoreUnavailable>
    /** Frees the key of a send, so that a new send can use it. */
    readonly retireKey: (tenantId: string, messageId: MessageId) => Effect.Effect<void, StoreUnavailable>
    /** Lists the newest send slots of a tenant after a time, newest first. */
    readonly slots: (
      tenantId: string,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /**
     * Counts automatic replies: messages of the assistant in the thread after the last one of an agent, and sends to
     * the address since `since` that no person wrote.
     */
    readonly replyCounts: (
      tenantId: string,
      threadId: ThreadId,
      correspondent: string,
      since: number
    ) => Effect.Effect<ReplyCounts, StoreUnavailable>
    /**
     * Counts automatic text messages: those of the assistant in the contact's conversation after the last one of an
     * agent, and those to the number (E.164) since `since`.
     */
    readonly textCounts: (
      tenantId: string,
      contactId: ContactId,
      phone: string,
      since: number
    ) => Effect.Effect<TextCounts, StoreUnavailable>
    /**
     * Claims up to `limit` due sends until `leaseUntil`, with an even share for each tenant as in `Signals.claim`. A
     * claimed send in state `handed_over` lost its server during the handover: it keeps its attempt number and must not
     * be handed over again.
     */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<Reservation>, StoreUnavailable>
    /**
     * Changes `reserved` to `handed_over` and extends the lease to `leaseUntil`. Returns false when another attempt has
     * taken over.
     */
    readonly handOver: (held: SendAttempt, leaseUntil: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Ends a send. Returns false when it has ended or another attempt has taken over. */
    readonly settle: (
      held: SendAttemptOnChannel,
      outcome: SendOutcome,
      reason: string | null,
      now: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Changes a send back to `reserved`, due at `dueAt`. */
    readonly release: (held: SendAttempt, dueAt: number, reason: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Waits as in `Signals.wait`. */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
    /** Counts the sends without an outcome. */
    readonly backlog: Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/conversation/Sends") {}
