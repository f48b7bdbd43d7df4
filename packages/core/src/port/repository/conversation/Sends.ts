import type { Effect } from "effect"
import { Context } from "effect"
import type { Reservation, ReservationState } from "../../../domain/sending/Reservation.ts"
import type { ContactId, MessageId, ThreadId } from "../../../domain/Id.ts"
import type { DeliveryStep } from "../../../domain/sending/DeliveryStep.ts"
import type { Wait } from "../../../domain/conversation/Wait.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The final states of a send. */
export type SendOutcome = Extract<ReservationState, "confirmed" | "failed" | "unknown">

/** One attempt at a send. If a later attempt has claimed the send, calls with the earlier attempt change nothing. */
export type SendAttempt = Pick<Reservation, "tenantId" | "messageId" | "attempts">

/** One attempt at a send, with the channel by which metrics count the outcome. */
export type SendAttemptOnChannel = SendAttempt & Pick<Reservation, "channel">

/** The numbers of automatic email replies that the limits of automatic replies use. */
export interface ReplyCounts {
  readonly inThread: number
  readonly toCorrespondent: number
}

/** The numbers of automatic text messages that the limits of automatic replies use. */
export interface TextCounts {
  readonly inConversation: number
  readonly toCorrespondent: number
}

/**
 * Returns the states that an outcome may replace. The outcome of a slow attempt also applies to a send that was
 * released meanwhile, as long as no later attempt has started.
 */
export const settleableStates = (outcome: SendOutcome): ReadonlyArray<ReservationState> =>
  outcome === "unknown" ? ["handed_over"] : ["reserved", "handed_over", "unknown"]

/** Returns true while a send has no outcome. */
export const isOpen = ({ state }: Reservation): boolean => state === "reserved" || state === "handed_over"

/** Outbound emails and text messages, stored before they are handed over. Times are epoch milliseconds. */
export class Sends extends Context.Service<
  Sends,
  {
    /** Stores a send. No other send may have its key, so call `findByKey` in the same unit of work first. */
    readonly reserve: (reservation: Reservation) => Effect.Effect<void, StoreUnavailable>
    readonly find: (tenantId: string, messageId: MessageId) => Effect.Effect<Reservation | null, StoreUnavailable>
    readonly findByKey: (tenantId: string, key: string) => Effect.Effect<Reservation | null, StoreUnavailable>
    /** Releases the key of a send, so that a new send can use it. */
    readonly retireKey: (tenantId: string, messageId: MessageId) => Effect.Effect<void, StoreUnavailable>
    /** Lists the newest send slots of a tenant after a time, newest first. */
    readonly slots: (
      tenantId: string,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
    /**
     * Counts automatic replies: messages of the assistant in the thread since the last message of an agent, and sends
     * to the address since `since` that no person wrote.
     */
    readonly replyCounts: (
      tenantId: string,
      threadId: ThreadId,
      correspondent: string,
      since: number
    ) => Effect.Effect<ReplyCounts, StoreUnavailable>
    /**
     * Counts automatic text messages: those of the assistant in the contact's conversation since the last one of an
     * agent, and those to the number (E.164) since `since`.
     */
    readonly textCounts: (
      tenantId: string,
      contactId: ContactId,
      phone: string,
      since: number
    ) => Effect.Effect<TextCounts, StoreUnavailable>
    /**
     * Claims up to `limit` due sends until `leaseUntil`. Each tenant gets an even share, as in `Signals.claim`. A
     * claimed send in the state `handed_over` belongs to a server that failed during the handover. It keeps its attempt
     * number, and must not be handed over again.
     */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<Reservation>, StoreUnavailable>
    /**
     * Changes a send from `reserved` to `handed_over`, and extends the lease to `leaseUntil`. Returns false when
     * another attempt has claimed the send.
     */
    readonly handOver: (held: SendAttempt, leaseUntil: number) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Stores the outcome of a send. Returns false when the send already has an outcome, or another attempt has claimed
     * it.
     */
    readonly settle: (
      held: SendAttemptOnChannel,
      outcome: SendOutcome,
      reason: string | null,
      now: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Changes a send back to `reserved`, due at `dueAt`. Returns false when another attempt has claimed it. */
    readonly release: (held: SendAttempt, dueAt: number, reason: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Lists the steps of a send, oldest first. Empty for a message that this server did not send. */
    readonly history: (
      tenantId: string,
      messageId: MessageId
    ) => Effect.Effect<ReadonlyArray<DeliveryStep>, StoreUnavailable>
    /** Adds a step that the provider reported later. Changes nothing for a message that this server did not send. */
    readonly addStep: (
      tenantId: string,
      messageId: MessageId,
      step: DeliveryStep
    ) => Effect.Effect<void, StoreUnavailable>
    /** Returns the waits among the sends of these messages: those that are due after `now` and not in progress. */
    readonly waits: (
      tenantId: string,
      messageIds: ReadonlyArray<MessageId>,
      now: number
    ) => Effect.Effect<ReadonlyArray<Wait>, StoreUnavailable>
    /** Waits until sends may be due, as in `Signals.wait`. */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
    /** Counts the sends without an outcome. */
    readonly backlog: Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/conversation/Sends") {}
