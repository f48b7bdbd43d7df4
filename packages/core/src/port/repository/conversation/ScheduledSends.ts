import type { Effect } from "effect"
import { Context } from "effect"
import type { MessageId } from "../../../domain/Id.ts"
import type { ScheduledSend, ScheduledState } from "../../../domain/sending/ScheduledSend.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The position of a scheduled message in a list: its sort key. */
export type ScheduledKey = Pick<ScheduledSend, "sendAt"> & { readonly messageId: string }

/** The scheduled messages that a list contains. */
export interface ScheduledFilter {
  readonly state: ScheduledState
  /** Null: those of all contacts. */
  readonly contactId: string | null
}

/** Messages of people that are sent later. Changes run in a unit of work, so that only one of them ends the wait. */
export class ScheduledSends extends Context.Service<
  ScheduledSends,
  {
    readonly insert: (scheduled: ScheduledSend) => Effect.Effect<void, StoreUnavailable>
    readonly find: (tenantId: string, messageId: MessageId) => Effect.Effect<ScheduledSend | null, StoreUnavailable>
    readonly findByKey: (tenantId: string, sendKey: string) => Effect.Effect<ScheduledSend | null, StoreUnavailable>
    /** Replaces the record. Read it in the same unit of work first. */
    readonly replace: (scheduled: ScheduledSend) => Effect.Effect<void, StoreUnavailable>
    /** Counts the waiting messages of a tenant, up to `maxCount`. */
    readonly count: (tenantId: string, maxCount: number) => Effect.Effect<number, StoreUnavailable>
    /** Lists up to `limit` scheduled messages after a position, earliest time of sending first. */
    readonly page: (
      tenantId: string,
      filter: ScheduledFilter,
      limit: number,
      after: ScheduledKey | null
    ) => Effect.Effect<ReadonlyArray<ScheduledSend>, StoreUnavailable>
    /** Claims up to `limit` due messages until `leaseUntil`, as in `Sends.claim`. */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<ScheduledSend>, StoreUnavailable>
    /** Waits until messages may be due, as in `Signals.wait`. */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
  }
>()("core/port/repository/conversation/ScheduledSends") {}
