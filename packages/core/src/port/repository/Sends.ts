import { Context, Effect, Layer } from "effect"
import { isAutomatic, type Reservation, type ReservationState } from "../../domain/sending/Reservation.ts"
import type { ContactId, MessageId, ThreadId } from "../../domain/Id.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { makeFairShares } from "../system/FairShares.ts"
import { addNew, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"
import { makeWakeUp } from "../system/WakeUp.ts"

/** How a send ends. */
export type SendOutcome = Extract<ReservationState, "confirmed" | "failed" | "unknown">

/** A send and the attempt at it: what another has taken over meanwhile cannot be changed with an older attempt. */
export type Held = Pick<Reservation, "tenantId" | "messageId" | "attempts">

/** The same with the channel it goes by: whoever counts how sends end counts by that. */
export type HeldSend = Held & Pick<Reservation, "channel">

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
export const settleable = (outcome: SendOutcome): ReadonlyArray<ReservationState> =>
  outcome === "unknown" ? ["handed_over"] : ["reserved", "handed_over", "unknown"]

type Memory = Context.Service.Shape<typeof MemoryState>
type Port = Context.Service.Shape<typeof Sends>
type QueuePart = "reserve" | "claim" | "handOver" | "settle" | "release" | "wait" | "backlog"

/** Whether a send has not ended. */
export const isOpen = ({ state }: Reservation): boolean => state === "reserved" || state === "handed_over"

const repliesInThread = ({ messages }: Memory, tenantId: string, threadId: string): number => {
  const thread = ofTenant(messages, tenantId).filter((message) => message.threadId === threadId)
  const byPeople = thread.filter(({ actor }) => actor === "agent").map(({ receivedAt }) => receivedAt)
  const last = Math.max(-1, ...byPeople)
  return thread.filter(({ actor, receivedAt }) => actor === "assistant" && receivedAt > last).length
}

const textsInConversation = ({ messages }: Memory, tenantId: string, contactId: string): number => {
  const texts = ofTenant(messages, tenantId).filter((one) => one.contactId === contactId && one.channel === "sms")
  const last = Math.max(-1, ...texts.flatMap(({ actor, receivedAt }) => (actor === "agent" ? [receivedAt] : [])))
  return texts.filter(({ actor, receivedAt }) => actor === "assistant" && receivedAt > last).length
}

const records = (state: Memory): Omit<Port, QueuePart> => ({
  find: (tenantId, messageId) => Effect.sync(() => state.sends.get(keyOf(tenantId, messageId)) ?? null),
  findByKey: (tenantId, key) =>
    Effect.sync(() => ofTenant(state.sends, tenantId).find((send) => send.key === key) ?? null),
  retireKey: (tenantId, messageId) =>
    Effect.sync(() => {
      const there = state.sends.get(keyOf(tenantId, messageId))
      if (there !== undefined) state.sends.set(keyOf(tenantId, messageId), { ...there, key: `used:${messageId}` })
    }),
  slots: (tenantId, after, limit) =>
    Effect.sync(() => {
      const all = ofTenant(state.sends, tenantId).flatMap(({ slotAt }) => (slotAt > after ? [slotAt] : []))
      return all.toSorted((one, other) => other - one).slice(0, limit)
    }),
  replyCounts: (tenantId, threadId, correspondent, since) =>
    Effect.sync(() => ({
      inThread: repliesInThread(state, tenantId, threadId),
      toCorrespondent: ofTenant(state.sends, tenantId).filter(
        (send) => isAutomatic(send) && send.correspondent === correspondent && send.createdAt >= since
      ).length
    })),
  textCounts: (tenantId, contactId, phone, since) =>
    Effect.sync(() => ({
      inConversation: textsInConversation(state, tenantId, contactId),
      toCorrespondent: ofTenant(state.sends, tenantId).filter(
        (send) => isAutomatic(send) && send.correspondent === phone && send.createdAt >= since
      ).length
    }))
})

const queue = ({ sends }: Memory): Pick<Port, QueuePart> => {
  const { wait, wake } = makeWakeUp()
  const due = makeFairShares<Reservation>(({ dueAt, messageId, tenantId }) => ({ tenantId, id: messageId, dueAt }))
  const open = () => [...sends.values()].filter(isOpen)
  const change = (
    held: Held,
    from: ReadonlyArray<ReservationState>,
    changes: Partial<Pick<Reservation, "state" | "dueAt" | "reason">>
  ): boolean => {
    const key = keyOf(held.tenantId, held.messageId)
    const there = sends.get(key)
    if (there === undefined || there.attempts !== held.attempts || !from.includes(there.state)) return false
    sends.set(key, { ...there, ...changes })
    return true
  }
  const take = (send: Reservation, leaseUntil: number): Reservation => {
    const attempts = send.state === "reserved" ? send.attempts + 1 : send.attempts
    const taken: Reservation = { ...send, attempts, dueAt: leaseUntil }
    sends.set(keyOf(send.tenantId, send.messageId), taken)
    return taken
  }
  return {
    reserve: (reservation) =>
      Effect.map(addNew(sends, keyOf(reservation.tenantId, reservation.messageId), reservation), () => {
        if (reservation.attempts === 0) wake()
      }),
    claim: (limit, now, leaseUntil) => Effect.sync(() => due(open(), limit, now).map((send) => take(send, leaseUntil))),
    handOver: (held, leaseUntil) =>
      Effect.sync(() => change(held, ["reserved"], { state: "handed_over", dueAt: leaseUntil })),
    settle: (held, outcome, reason) => Effect.sync(() => change(held, settleable(outcome), { state: outcome, reason })),
    release: (held, dueAt, reason) =>
      Effect.sync(() => {
        const released = change(held, ["reserved", "handed_over"], { state: "reserved", dueAt, reason })
        if (released) wake()
        return released
      }),
    wait,
    backlog: Effect.sync(() => open().length)
  }
}

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
    readonly handOver: (held: Held, leaseUntil: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Ends it. False: it has ended, or another attempt has it. */
    readonly settle: (
      held: HeldSend,
      outcome: SendOutcome,
      reason: string | null,
      now: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Back to `reserved`, to be taken again from `dueAt` on. */
    readonly release: (held: Held, dueAt: number, reason: string) => Effect.Effect<boolean, StoreUnavailable>
    /** As `Signals.wait`. */
    readonly wait: (atMostMillis: number) => Effect.Effect<void>
    /** Sends that have not ended. */
    readonly backlog: Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/Sends") {
  static readonly layerMemory: Layer.Layer<Sends> = Layer.effect(
    Sends,
    Effect.map(MemoryState, (state) => Sends.of({ ...records(state), ...queue(state) }))
  ).pipe(Layer.provide(MemoryState.layer))
}
