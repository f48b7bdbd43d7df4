import type { Effect } from "effect"
import { Context } from "effect"
import type { KnownId, ThreadRecord } from "../../../domain/email/thread/Thread.ts"
import type { LeadId, ThreadId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Email threads and the index of every Message-ID seen or referred to. */
export class Threads extends Context.Service<
  Threads,
  {
    readonly insert: (thread: ThreadRecord) => Effect.Effect<void, StoreUnavailable>
    /** The thread, or null. Ids of merged threads are not found. */
    readonly find: (tenantId: string, threadId: ThreadId) => Effect.Effect<ThreadRecord | null, StoreUnavailable>
    /** Gives the thread its lead. */
    readonly setLead: (tenantId: string, threadId: ThreadId, leadId: LeadId) => Effect.Effect<void, StoreUnavailable>
    /** What the index says of these ids. */
    readonly known: (
      tenantId: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<KnownId>, StoreUnavailable>
    /**
     * Writes ids to the index. An id that is there already keeps its thread; it becomes `seen` or strong when the new
     * entry is. A weak id may stand in several threads.
     */
    readonly register: (tenantId: string, ids: ReadonlyArray<KnownId>) => Effect.Effect<void, StoreUnavailable>
    /** Moves index entries, participants and messages of `from` to `into` and forgets `from`. */
    readonly merge: (
      tenantId: string,
      into: ThreadId,
      from: ReadonlyArray<ThreadId>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Which of these addresses (normalised) have been part of the thread before. */
    readonly participants: (
      tenantId: string,
      threadId: ThreadId,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    readonly addParticipants: (
      tenantId: string,
      threadId: ThreadId,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/conversation/Threads") {}
