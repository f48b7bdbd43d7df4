/**
 * Ports to outbound events, their subscriptions and deliveries, and to jobs and received provider events. HTTP
 * requests to receivers belong to `port/system/Egress.ts`.
 * Tests: `packages/testkit/src/suite/webhook`, `packages/testkit/src/suite/store`.
 */
import { type Effect, Context, type Scope } from "effect"
import type { OutboundEvent } from "../../../domain/webhook/Event.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** An outbound event with its sequence number. */
export interface SequencedEvent {
  /** The number of the event. It starts at 1 for each tenant and increases by 1 without gaps. */
  readonly sequence: number
  readonly event: OutboundEvent
}

/** Waits until new events may exist, but at most `maxWaitMillis`. */
export type EventWatch = (maxWaitMillis: number) => Effect.Effect<void>

/** The range of a tenant's sequence numbers. */
export interface EventRange {
  /** The sequence number of the oldest stored event. `last + 1` when no event is stored. */
  readonly first: number
  /** The highest sequence number that was assigned so far, even if its event was deleted. 0 before the first event. */
  readonly last: number
}

/**
 * The outbox of outbound events. An event is stored in the same unit of work as its change. Sequence numbers follow the
 * order of commits. After a reader has seen a number, no event with a lower number can appear any more.
 */
export class Events extends Context.Service<
  Events,
  {
    readonly append: (tenantId: string, events: ReadonlyArray<OutboundEvent>) => Effect.Effect<void, StoreUnavailable>
    /** Lists events of a tenant after a sequence number, in order. */
    readonly after: (
      tenantId: string,
      sequence: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SequencedEvent>, StoreUnavailable>
    /** Returns the stored events with these sequence numbers, in order. */
    readonly pick: (
      tenantId: string,
      sequences: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<SequencedEvent>, StoreUnavailable>
    readonly range: (tenantId: string) => Effect.Effect<EventRange, StoreUnavailable>
    /**
     * Deletes up to `limit` of the tenant's oldest events that happened before a time, with their deliveries. Returns
     * the number of deleted events. Events are deleted in order: an event stays as long as an older event stays.
     */
    readonly expire: (tenantId: string, before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
    /** Lists the ids of tenants that have events, in ascending order, after the tenant id `after`. */
    readonly tenants: (after: string, limit: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /**
     * Watches for new events of one tenant, or of all tenants if `tenantId` is null. The watch misses no event, but it
     * may also wake the caller when there is no new event.
     */
    readonly watch: (tenantId: string | null) => Effect.Effect<EventWatch, never, Scope.Scope>
  }
>()("core/port/repository/webhook/Events") {}
