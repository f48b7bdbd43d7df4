import { Context, Effect, Layer } from "effect"
import {
  type ContactMerge,
  MergeNotFound,
  type MovedCounts,
  type MovedKind
} from "../../domain/contact/ContactMerge.ts"
import type { ContactId, MergeId } from "../../domain/Id.ts"
import { addNew, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"
import { moveAll, moveBackAll, restoreDrafts, youngest } from "../../memory/MemoryMoves.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

/** Merges of contacts: their journal, what each moved, and the moving itself. Everything here runs inside a unit of work. */
export class ContactMerges extends Context.Service<
  ContactMerges,
  {
    readonly insert: (merge: ContactMerge) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, mergeId: string) => Effect.Effect<ContactMerge, MergeNotFound | StoreUnavailable>
    /** Notes that a merge has been undone. What it moved is forgotten. */
    readonly end: (tenantId: string, mergeId: MergeId, at: number) => Effect.Effect<void, StoreUnavailable>
    /** The last merge into a contact that is in effect. */
    readonly latestOf: (tenantId: string, primaryId: ContactId) => Effect.Effect<ContactMerge | null, StoreUnavailable>
    /** Merges into a contact that are in effect, the last first. */
    readonly ofPrimary: (
      tenantId: string,
      primaryId: ContactId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ContactMerge>, StoreUnavailable>
    /** The merge in effect that a contact went away with. */
    readonly ofDuplicate: (
      tenantId: string,
      duplicateId: ContactId
    ) => Effect.Effect<ContactMerge | null, StoreUnavailable>
    /** When the youngest message, lead, task, draft, activity or call of the contacts was made; 0 when there is none. */
    readonly youngest: (
      tenantId: string,
      contactIds: readonly [ContactId, ContactId]
    ) => Effect.Effect<number, StoreUnavailable>
    /**
     * Gives everything of the duplicate to the primary contact and notes it under the merge. Runs and sends go with their
     * messages. Of two pending drafts the older becomes superseded, because a contact has one at most.
     */
    readonly move: (merge: ContactMerge) => Effect.Effect<MovedCounts, StoreUnavailable>
    /**
     * Gives back what a merge moved, as far as the primary contact still has it, and what is younger than its watermark
     * and belongs to that: mails from a returned address, texts and calls from and to a returned number, leads that
     * only the duplicate has written to, and messages, tasks, drafts, calls and activities of returned leads, but for texts
     * and calls with a number that stays. Answers with the keys of the identities that went.
     */
    readonly moveBack: (merge: ContactMerge) => Effect.Effect<ReadonlySet<string>, StoreUnavailable>
    /** Lets the draft that a merge superseded wait again, unless something was said on its side since. */
    readonly restoreDrafts: (merge: ContactMerge) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/ContactMerges") {
  static readonly layerMemory: Layer.Layer<ContactMerges> = Layer.effect(
    ContactMerges,
    Effect.map(MemoryState, (state) => {
      const inEffect = (tenantId: string, of: (merge: ContactMerge) => boolean): ReadonlyArray<ContactMerge> =>
        ofTenant(state.contactMerges, tenantId)
          .filter((merge) => merge.undoneAt === null && of(merge))
          .toSorted((one, other) => other.ordinal - one.ordinal)
      return ContactMerges.of({
        insert: (merge) => addNew(state.contactMerges, keyOf(merge.tenantId, merge.mergeId), merge),
        get: (tenantId, mergeId) =>
          Effect.suspend(() => {
            const merge = state.contactMerges.get(keyOf(tenantId, mergeId))
            return merge === undefined ? Effect.fail(new MergeNotFound({ mergeId })) : Effect.succeed(merge)
          }),
        end: (tenantId, mergeId, at) =>
          Effect.sync(() => {
            const key = keyOf(tenantId, mergeId)
            const merge = state.contactMerges.get(key)
            if (merge !== undefined) state.contactMerges.set(key, { ...merge, undoneAt: at })
            state.mergeItems.delete(key)
          }),
        latestOf: (tenantId, primaryId) =>
          Effect.sync(() => inEffect(tenantId, (merge) => merge.primaryId === primaryId)[0] ?? null),
        ofPrimary: (tenantId, primaryId, limit) =>
          Effect.sync(() => inEffect(tenantId, (merge) => merge.primaryId === primaryId).slice(0, limit)),
        ofDuplicate: (tenantId, duplicateId) =>
          Effect.sync(() => inEffect(tenantId, (merge) => merge.duplicateId === duplicateId)[0] ?? null),
        youngest: (tenantId, contactIds) => Effect.sync(() => youngest(state, tenantId, contactIds)),
        move: (merge) =>
          Effect.sync(() => {
            const items = moveAll(state, merge)
            state.mergeItems.set(keyOf(merge.tenantId, merge.mergeId), items)
            const count = (kind: MovedKind): number => items.get(kind)?.size ?? 0
            return {
              identity: count("identity"),
              message: count("message"),
              lead: count("lead"),
              task: count("task"),
              draft: count("draft"),
              superseded_draft: count("superseded_draft"),
              activity: count("activity"),
              call: count("call")
            }
          }),
        moveBack: (merge) =>
          Effect.sync(() =>
            moveBackAll(state, merge, state.mergeItems.get(keyOf(merge.tenantId, merge.mergeId)) ?? new Map())
          ),
        restoreDrafts: (merge) =>
          Effect.sync(() =>
            restoreDrafts(state, merge, state.mergeItems.get(keyOf(merge.tenantId, merge.mergeId)) ?? new Map())
          )
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
