import { type Effect, Context, type Scope } from "effect"
import type { OutboundEvent } from "../../../domain/webhook/Event.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** An outbound event with its place in the tenant's order. */
export interface SequencedEvent {
  /** Counts up by one within a tenant, without gaps, from 1. */
  readonly sequence: number
  readonly event: OutboundEvent
}

/** Waits until there may be new events, or for so many milliseconds. */
export type EventWatch = (maxWaitMillis: number) => Effect.Effect<void>

/** The numbers of a tenant's events. */
export interface EventRange {
  /** Of the oldest that is kept; one more than `last` when none is. */
  readonly first: number
  /** Of the newest, kept or not; 0 before there is any. */
  readonly last: number
}

/**
 * The outbox of outbound events: written in the same unit of work as the change they tell of, and numbered in the order of
 * the commits. A reader that has seen a number never finds it or a lower one later.
 */
export class Events extends Context.Service<
  Events,
  {
    readonly append: (tenantId: string, events: ReadonlyArray<OutboundEvent>) => Effect.Effect<void, StoreUnavailable>
    /** Events of a tenant after a sequence number, in order. */
    readonly after: (
      tenantId: string,
      sequence: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SequencedEvent>, StoreUnavailable>
    /** Events of these numbers as far as they are kept, in order. */
    readonly pick: (
      tenantId: string,
      sequences: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<SequencedEvent>, StoreUnavailable>
    readonly range: (tenantId: string) => Effect.Effect<EventRange, StoreUnavailable>
    /**
     * Removes up to `limit` of the oldest events of a tenant that happened before a time, and what is kept of their
     * deliveries; answers how many events went. Never one that is behind a younger one that stays.
     */
    readonly expire: (tenantId: string, before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
    /** Tenants that have events, after a tenant, in order. */
    readonly tenants: (after: string, limit: number) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Begins to watch for events of a tenant, of every tenant for null; it misses none, and may see some that are not. */
    readonly watch: (tenantId: string | null) => Effect.Effect<EventWatch, never, Scope.Scope>
  }
>()("core/port/repository/webhook/Events") {}
