import { Context, Effect, Layer } from "effect"
import type { KnownId, ThreadRecord } from "../../domain/email/thread/ThreadRecord.ts"
import type { LeadId, ThreadId } from "../../domain/Id.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

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
>()("core/port/repository/Threads") {
  static readonly layerMemory: Layer.Layer<Threads> = Layer.effect(
    Threads,
    Effect.map(MemoryState, (state) => {
      const register = (tenantId: string, ids: ReadonlyArray<KnownId>): void => {
        for (const { id, threadId, seen, weak } of ids) {
          const key = keyOf(tenantId, id, threadId)
          const known = state.threadIds.get(key)?.value
          const value = { id, threadId, seen: seen || known?.seen === true, weak: weak && known?.weak !== false }
          state.threadIds.set(key, { tenantId, value })
        }
      }
      const participants = (tenantId: string, threadId: string): ReadonlySet<string> =>
        state.participants.get(keyOf(tenantId, threadId)) ?? new Set()
      const addParticipants = (tenantId: string, threadId: string, emails: ReadonlyArray<string>): void =>
        void state.participants.set(
          keyOf(tenantId, threadId),
          new Set([...participants(tenantId, threadId), ...emails])
        )
      return Threads.of({
        insert: (thread) => addNew(state.threads, keyOf(thread.tenantId, thread.threadId), thread),
        find: (tenantId, threadId) => Effect.sync(() => state.threads.get(keyOf(tenantId, threadId)) ?? null),
        setLead: (tenantId, threadId, leadId) =>
          Effect.sync(() => {
            const thread = state.threads.get(keyOf(tenantId, threadId))
            if (thread !== undefined) state.threads.set(keyOf(tenantId, threadId), { ...thread, leadId })
          }),
        known: (tenantId, ids) =>
          Effect.sync(() =>
            ofTenant(state.threadIds, tenantId).flatMap(({ value }) => (ids.includes(value.id) ? [value] : []))
          ),
        register: (tenantId, ids) => Effect.sync(() => register(tenantId, ids)),
        merge: (tenantId, into, from) =>
          Effect.sync(() => {
            const gone = new Set<string>(from.filter((threadId) => threadId !== into))
            for (const [key, { tenantId: owner, value }] of state.threadIds) {
              if (owner !== tenantId || !gone.has(value.threadId)) continue
              state.threadIds.delete(key)
              register(tenantId, [{ ...value, threadId: into }])
            }
            for (const [key, message] of state.messages) {
              if (message.tenantId !== tenantId || message.threadId === null || !gone.has(message.threadId)) continue
              state.messages.set(key, { ...message, threadId: into })
            }
            for (const threadId of gone) {
              addParticipants(tenantId, into, [...participants(tenantId, threadId)])
              state.participants.delete(keyOf(tenantId, threadId))
              state.threads.delete(keyOf(tenantId, threadId))
            }
          }),
        participants: (tenantId, threadId, emails) =>
          Effect.sync(() => new Set(emails.filter((email) => participants(tenantId, threadId).has(email)))),
        addParticipants: (tenantId, threadId, emails) => Effect.sync(() => addParticipants(tenantId, threadId, emails))
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
