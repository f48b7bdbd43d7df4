import type { Effect } from "effect"
import { Context } from "effect"
import type { Activity } from "../../../domain/contact/Activity.ts"
import type { Message } from "../../../domain/conversation/Message.ts"
import type { Enrolment } from "../../../domain/sequence/Enrolment.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** A place of the hourly limit that a send has taken. Times are epoch milliseconds. */
export interface PastSlot {
  readonly slotAt: number
  /** The time of the reservation. */
  readonly reservedAt: number
  /** The key of the send, which names the enrolment of a message of a sequence. */
  readonly key: string
}

/**
 * Facts as they were at an earlier time, for simulations of sequences and rules. Only facts whose history is stored are
 * here. All times are epoch milliseconds, and `until` is included.
 */
export class PastFacts extends Context.Service<
  PastFacts,
  {
    /** Lists up to `limit` enrolments in a sequence that were created from `since` until before `until`, oldest first. */
    readonly enrolments: (
      tenantId: string,
      sequenceId: string,
      since: number,
      until: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Enrolment>, StoreUnavailable>
    /** Returns when the first message from the contact after `receivedAt` was accepted; null: none. As `hasWrittenSince`. */
    readonly writtenAfter: (
      tenantId: string,
      contactId: string,
      receivedAt: number
    ) => Effect.Effect<number | null, StoreUnavailable>
    /** Returns the email that `Messages.newestEmail` returned at a time. */
    readonly newestEmail: (
      tenantId: string,
      contactId: string,
      until: number
    ) => Effect.Effect<Message | null, StoreUnavailable>
    /** Returns the text that `Messages.newestText` returned at a time. */
    readonly newestText: (
      tenantId: string,
      contactId: string,
      until: number
    ) => Effect.Effect<Message | null, StoreUnavailable>
    /** Returns since when an address is undeliverable; null: it is deliverable. The newest report counts. */
    readonly undeliverableSince: (tenantId: string, address: string) => Effect.Effect<number | null, StoreUnavailable>
    /** Lists the newest `limit` changes of the states and stages of a contact's leads after a time, newest first. */
    readonly leadMoves: (
      tenantId: string,
      contactId: string,
      since: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Activity>, StoreUnavailable>
    /** Lists the newest `limit` slots of the hourly limit after `after` until `until`, newest first. */
    readonly slots: (
      tenantId: string,
      after: number,
      until: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PastSlot>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/PastFacts") {}
