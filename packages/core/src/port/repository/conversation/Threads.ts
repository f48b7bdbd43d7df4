import type { Effect } from "effect"
import { Context } from "effect"
import type { KnownId, ThreadRecord } from "../../../domain/email/thread/Thread.ts"
import type { LeadId, ThreadId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Email threads, and the index of all Message-IDs that are known from messages or their references. */
export class Threads extends Context.Service<
  Threads,
  {
    readonly insert: (thread: ThreadRecord) => Effect.Effect<void, StoreUnavailable>
    /** Returns the thread, or null. A thread that was merged into another one no longer exists under its own id. */
    readonly find: (tenantId: string, threadId: ThreadId) => Effect.Effect<ThreadRecord | null, StoreUnavailable>
    /** Sets the lead of a thread. */
    readonly setLead: (tenantId: string, threadId: ThreadId, leadId: LeadId) => Effect.Effect<void, StoreUnavailable>
    /** Marks threads as corrected by a person. */
    readonly markCorrected: (
      tenantId: string,
      threadIds: ReadonlyArray<ThreadId>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Returns the index entries of these Message-IDs. */
    readonly known: (
      tenantId: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<KnownId>, StoreUnavailable>
    /**
     * Adds Message-IDs to the index. An existing entry keeps its thread. It becomes `seen` or strong if the new entry
     * is `seen` or strong. A weak id can belong to several threads.
     */
    readonly register: (tenantId: string, ids: ReadonlyArray<KnownId>) => Effect.Effect<void, StoreUnavailable>
    /**
     * Moves the index entries, participants and messages of the threads `from` to the thread `into`, and deletes
     * `from`.
     */
    readonly merge: (
      tenantId: string,
      into: ThreadId,
      from: ReadonlyArray<ThreadId>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Returns those of the given normalised addresses that have already taken part in the thread. */
    readonly participants: (
      tenantId: string,
      threadId: ThreadId,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /** Lists the first `limit` participants of a thread in alphabetical order. */
    readonly listParticipants: (
      tenantId: string,
      threadId: ThreadId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    readonly addParticipants: (
      tenantId: string,
      threadId: ThreadId,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/conversation/Threads") {}
