/**
 * Ports to stored sequences and enrolments. The plan of a step belongs to `domain/sequence`. Tests:
 * `packages/testkit/src/suite/sequence`.
 */
import type { Effect } from "effect"
import { Context } from "effect"
import type { SequenceId } from "../../../domain/Id.ts"
import type { SequenceCounts } from "../../../domain/sequence/SequenceLimits.ts"
import type { Sequence, SequenceNotFound, SequenceVersion } from "../../../domain/sequence/Sequence.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The sequences of tenants. */
export class Sequences extends Context.Service<
  Sequences,
  {
    readonly insert: (sequence: Sequence) => Effect.Effect<void, StoreUnavailable>
    /** Returns a sequence, also a deleted one. Fails for an unknown id and for another tenant's. */
    readonly get: (tenantId: string, sequenceId: string) => Effect.Effect<Sequence, SequenceNotFound | StoreUnavailable>
    /** Replaces an existing sequence. */
    readonly replace: (sequence: Sequence) => Effect.Effect<void, StoreUnavailable>
    /** Returns the sequence of a rule; null if the rule has none. */
    readonly ofRule: (tenantId: string, ruleId: string) => Effect.Effect<Sequence | null, StoreUnavailable>
    /** Counts the sequences of a tenant that are not deleted, without those of rules. */
    readonly count: (tenantId: string) => Effect.Effect<number, StoreUnavailable>
    /** Lists the sequences of a tenant that are not deleted, without those of rules, after an id, oldest first. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<Sequence>, StoreUnavailable>
    /** Adds one to a count of the period that starts at a time. */
    readonly countMessage: (
      tenantId: string,
      sequenceId: SequenceId,
      startsAt: number,
      field: "emails" | "texts"
    ) => Effect.Effect<void, StoreUnavailable>
    /** Adds one to a count of the period in which a message was sent. */
    readonly countIncident: (
      tenantId: string,
      sequenceId: SequenceId,
      sentAt: number,
      field: "bounced" | "complained" | "optedOut"
    ) => Effect.Effect<void, StoreUnavailable>
    /** Returns the sums of all periods that start at or after a time. */
    readonly countsSince: (
      tenantId: string,
      sequenceId: SequenceId,
      since: number
    ) => Effect.Effect<SequenceCounts, StoreUnavailable>
    /** Deletes up to `limit` counted periods from before a time, oldest first. Returns their number. */
    readonly expireCounts: (tenantId: string, before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
    /** Stores an earlier version of a sequence. */
    readonly keep: (version: SequenceVersion) => Effect.Effect<void, StoreUnavailable>
    /** Returns an earlier version; null if it is unknown. */
    readonly version: (
      tenantId: string,
      sequenceId: string,
      version: number
    ) => Effect.Effect<SequenceVersion | null, StoreUnavailable>
  }
>()("core/port/repository/sequence/Sequences") {}
