import type { Effect } from "effect"
import { Context } from "effect"
import type { Activity, ActivityType } from "../../../domain/contact/Activity.ts"
import type { Message } from "../../../domain/conversation/Message.ts"
import type { PastMessage } from "../../../domain/conversation/PastMessage.ts"
import type { Score } from "../../../domain/lead/Score.ts"
import type { TrackedLink } from "../../../domain/link/TrackedLink.ts"
import type { Enrolment } from "../../../domain/sequence/Enrolment.ts"
import type { Task } from "../../../domain/task/Task.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** A place of the hourly limit that a send has taken. Times are epoch milliseconds. */
export interface PastSlot {
  readonly slotAt: number
  /** The time of the reservation. */
  readonly reservedAt: number
  /** The key of the send, which names the enrolment of a message of a sequence. */
  readonly key: string
}

/** The score of a lead at an earlier time. */
export type PastScore = Pick<Score, "score" | "tier">

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
    /**
     * Lists the newest `limit` changes of a contact and its leads after a time, newest first: states, stages, tags, custom
     * fields, and closed and reopened conversations.
     */
    readonly changes: (
      tenantId: string,
      contactId: string,
      since: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Activity>, StoreUnavailable>
    /** Lists up to `limit` entries of the timelines of all contacts with one of two types, between two ids, oldest first. */
    readonly activities: (
      tenantId: string,
      types: readonly [ActivityType, ActivityType],
      after: string,
      before: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Activity>, StoreUnavailable>
    /** Returns the score that a lead had just before a time; null: it had none. */
    readonly scoreBefore: (
      tenantId: string,
      leadId: string,
      at: number
    ) => Effect.Effect<PastScore | null, StoreUnavailable>
    /** Lists up to `limit` messages of all contacts that can be causes, between two ids, oldest first. */
    readonly messages: (
      tenantId: string,
      trigger: "no_answer" | "unanswered",
      after: string,
      before: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PastMessage>, StoreUnavailable>
    /** Lists the newest `limit` messages of a contact that were accepted until a time, newest first. */
    readonly messagesOf: (
      tenantId: string,
      contactId: string,
      until: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PastMessage>, StoreUnavailable>
    /** Returns when the run of a signal ended; null: it has no run. */
    readonly runEndedAt: (tenantId: string, signalId: string) => Effect.Effect<number | null, StoreUnavailable>
    /** Returns whether a rule with a trigger carried out its actions for a contact at a time. */
    readonly hasRunAt: (tenantId: string, contactId: string, at: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Lists up to `limit` tasks about contacts that are due from `since` until before `until`, in the order of due times. */
    readonly tasksDue: (
      tenantId: string,
      since: number,
      until: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Task>, StoreUnavailable>
    /**
     * Lists up to `limit` links that were opened for the first time from `since` until before `until`, in this order.
     * Only links from `createdAfter` on are searched.
     */
    readonly openedLinks: (
      tenantId: string,
      createdAfter: number,
      since: number,
      until: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<TrackedLink>, StoreUnavailable>
    /** Lists the newest `limit` slots of the hourly limit after `after` until `until`, newest first. */
    readonly slots: (
      tenantId: string,
      after: number,
      until: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PastSlot>, StoreUnavailable>
  }
>()("core/port/repository/pipeline/PastFacts") {}
