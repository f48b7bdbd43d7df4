import type { Effect } from "effect"
import { Context } from "effect"
import type { Enrolment, EnrolmentEntry, EnrolmentState } from "../../../domain/sequence/Enrolment.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The enrolments that a list contains. A null field does not filter. */
export interface EnrolmentFilter {
  readonly sequenceId: string | null
  readonly contactId: string | null
  readonly state: EnrolmentState | null
}

/** What became of the contacts of one group of a sequence. A contact with several enrolments counts once. */
export interface EnrolledGroup {
  /** Whether the group is the holdout group. */
  readonly heldOut: boolean
  readonly contacts: number
  /** The contacts who have written since their enrolment. Automatic mail does not count. */
  readonly answered: number
  /** The contacts whose lead at the enrolment is won now. */
  readonly won: number
  /** The time of the oldest counted enrolment. */
  readonly since: number
}

/** The enrolments of contacts in sequences. Changes run in a unit of work, so that each step runs once. */
export class Enrolments extends Context.Service<
  Enrolments,
  {
    readonly insert: (enrolment: Enrolment) => Effect.Effect<void, StoreUnavailable>
    /** Returns null for an unknown id and for another tenant's. */
    readonly find: (tenantId: string, enrolmentId: string) => Effect.Effect<Enrolment | null, StoreUnavailable>
    /** Returns the oldest active or paused enrolment of a contact in a sequence; null if there is none. */
    readonly running: (
      tenantId: string,
      sequenceId: string,
      contactId: string
    ) => Effect.Effect<Enrolment | null, StoreUnavailable>
    /** Returns the newest enrolment of a contact in a sequence, in any state; null if there is none. */
    readonly newest: (
      tenantId: string,
      sequenceId: string,
      contactId: string
    ) => Effect.Effect<Enrolment | null, StoreUnavailable>
    /**
     * Lists up to `limit` active or paused enrolments of a contact, oldest first. A `sequenceId` of null lists those in
     * all sequences.
     */
    readonly runningOf: (
      tenantId: string,
      contactId: string,
      sequenceId: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Enrolment>, StoreUnavailable>
    /**
     * Returns whether an older enrolment of the contact in the same sequence was running together with this one. Only a
     * merge of two contacts causes this.
     */
    readonly overlaps: (enrolment: Enrolment, contactId: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Replaces the record. Read it in the same unit of work first. */
    readonly replace: (enrolment: Enrolment) => Effect.Effect<void, StoreUnavailable>
    /** Returns the histories of a contact's enrolments that have sent a message since a time. */
    readonly sentSince: (
      tenantId: string,
      contactId: string,
      since: number
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<EnrolmentEntry>>, StoreUnavailable>
    /** Lists up to `limit` enrolments of a contact that have sent a message since a time, oldest first. */
    readonly messagedSince: (
      tenantId: string,
      contactId: string,
      since: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Enrolment>, StoreUnavailable>
    /** Counts the contacts of the newest `limit` enrolments of a sequence, by group. A group without contacts is absent. */
    readonly groups: (
      tenantId: string,
      sequenceId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<EnrolledGroup>, StoreUnavailable>
    /** Lists the newest enrolments of a sequence, newest first. */
    readonly recent: (
      tenantId: string,
      sequenceId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Enrolment>, StoreUnavailable>
    /**
     * Returns by enrolment the time of the first message of its contact that was accepted after `since`. Automatic mail
     * does not count. An enrolment without such a message is absent.
     */
    readonly answers: (
      tenantId: string,
      enrolments: ReadonlyArray<Pick<Enrolment, "contactId" | "enrolmentId"> & { readonly since: number }>
    ) => Effect.Effect<ReadonlyMap<string, number>, StoreUnavailable>
    /** Lists up to `limit` enrolments after an id, oldest first. */
    readonly page: (
      tenantId: string,
      filter: EnrolmentFilter,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<Enrolment>, StoreUnavailable>
    /** Deletes up to `limit` enrolments that ended from before a time, oldest first. Returns their number. */
    readonly expire: (tenantId: string, before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
    /** Claims up to `limit` due enrolments until `leaseUntil`, as in `Sends.claim`. */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<Enrolment>, StoreUnavailable>
    /** Waits until enrolments may be due, as in `Signals.wait`. */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
  }
>()("core/port/repository/sequence/Enrolments") {}
