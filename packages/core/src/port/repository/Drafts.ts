import { Clock, Context, Effect, Layer } from "effect"
import type { Draft, DraftState } from "../../domain/draft/Draft.ts"
import type { Task } from "../../domain/task/Task.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

type Memory = Context.Service.Shape<typeof MemoryState>

const oldestFirst = by<Draft>(
  (draft) => draft.createdAt,
  (draft) => draft.draftId
)

const setTask = ({ tasks }: Memory, { taskId, tenantId }: Draft, status: Task["status"], updatedAt: number): void => {
  const key = keyOf(tenantId, taskId ?? "")
  const task = tasks.get(key)
  if (task !== undefined && task.status !== status) tasks.set(key, { ...task, status, snoozeUntil: null, updatedAt })
}

const setState = (state: Memory, draft: Draft, next: DraftState, now: number): void => {
  state.drafts.set(keyOf(draft.tenantId, draft.draftId), { ...draft, state: next })
  if (draft.state === "pending") setTask(state, draft, "done", now)
  if (next === "pending") setTask(state, draft, "open", now)
}

/**
 * Replies waiting for a person. A contact has at most one pending draft. The task of a draft is done, in the same unit of
 * work, as soon as the draft is not pending any more, whatever the reason.
 */
export class Drafts extends Context.Service<
  Drafts,
  {
    /** Stores a pending draft; an older pending one of the contact becomes superseded. */
    readonly propose: (draft: Draft) => Effect.Effect<void, StoreUnavailable>
    /** Whatever is pending for the contact becomes superseded. */
    readonly supersede: (tenantId: string, contactId: string) => Effect.Effect<void, StoreUnavailable>
    /** The same when the message that it answers was written by this time, epoch milliseconds. */
    readonly supersedeOlder: (
      tenantId: string,
      contactId: string,
      writtenAt: number
    ) => Effect.Effect<void, StoreUnavailable>
    readonly find: (tenantId: string, draftId: string) => Effect.Effect<Draft | null, StoreUnavailable>
    readonly pending: (tenantId: string, contactId: string) => Effect.Effect<Draft | null, StoreUnavailable>
    /** The contact's newest draft, whatever became of it. */
    readonly newest: (tenantId: string, contactId: string) => Effect.Effect<Draft | null, StoreUnavailable>
    /** Ends a pending draft; one that has ended stays as it is. */
    readonly end: (
      tenantId: string,
      draftId: string,
      state: "sent" | "dismissed"
    ) => Effect.Effect<void, StoreUnavailable>
    /** Takes back that a draft was sent: it waits again, its task with it, or is superseded. Nothing else may be pending. */
    readonly takeBack: (
      tenantId: string,
      draftId: string,
      state: "pending" | "superseded"
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/Drafts") {
  static readonly layerMemory: Layer.Layer<Drafts> = Layer.effect(
    Drafts,
    Effect.map(MemoryState, (state) => {
      const ofContact = (tenantId: string, contactId: string): ReadonlyArray<Draft> =>
        ofTenant(state.drafts, tenantId)
          .filter((draft) => draft.contactId === contactId)
          .toSorted(oldestFirst)
      const pending = (tenantId: string, contactId: string): Draft | null =>
        ofContact(tenantId, contactId).find((draft) => draft.state === "pending") ?? null
      const supersede = (tenantId: string, contactId: string, writtenAt: number, now: number): void => {
        const draft = pending(tenantId, contactId)
        if (draft === null) return
        const answered = state.messages.get(keyOf(tenantId, draft.messageId))
        if ((answered?.timestamp ?? 0) <= writtenAt) setState(state, draft, "superseded", now)
      }
      const change = (tenantId: string, draftId: string, from: DraftState, next: DraftState) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const draft = state.drafts.get(keyOf(tenantId, draftId))
          if (draft?.state === from) setState(state, draft, next, now)
        })
      return Drafts.of({
        propose: (draft) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            supersede(draft.tenantId, draft.contactId, Infinity, now)
            return addNew(state.drafts, keyOf(draft.tenantId, draft.draftId), draft)
          }),
        supersede: (tenantId, contactId) =>
          Effect.map(Clock.currentTimeMillis, (now) => supersede(tenantId, contactId, Infinity, now)),
        supersedeOlder: (tenantId, contactId, writtenAt) =>
          Effect.map(Clock.currentTimeMillis, (now) => supersede(tenantId, contactId, writtenAt, now)),
        find: (tenantId, draftId) => Effect.sync(() => state.drafts.get(keyOf(tenantId, draftId)) ?? null),
        pending: (tenantId, contactId) => Effect.sync(() => pending(tenantId, contactId)),
        newest: (tenantId, contactId) => Effect.sync(() => ofContact(tenantId, contactId).at(-1) ?? null),
        end: (tenantId, draftId, next) => change(tenantId, draftId, "pending", next),
        takeBack: (tenantId, draftId, next) => change(tenantId, draftId, "sent", next)
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
