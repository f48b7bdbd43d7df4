import { Context, Effect, Layer } from "effect"
import type { Draft } from "../conversation/Draft.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import { addNew, keyOf, MemoryState, ofTenant } from "./MemoryState.ts"

/** Replies waiting for a person. A contact has at most one pending draft. */
export class Drafts extends Context.Service<
  Drafts,
  {
    /** Stores a pending draft; an older pending one of the contact becomes superseded. */
    readonly propose: (draft: Draft) => Effect.Effect<void, StoreUnavailable>
    /** Whatever is pending for the contact becomes superseded. */
    readonly supersede: (tenantId: string, contactId: string) => Effect.Effect<void, StoreUnavailable>
    readonly pending: (tenantId: string, contactId: string) => Effect.Effect<Draft | null, StoreUnavailable>
  }
>()("core/port/Drafts") {
  static readonly layerMemory: Layer.Layer<Drafts> = Layer.effect(
    Drafts,
    Effect.map(MemoryState, (state) => {
      const pending = (tenantId: string, contactId: string): Draft | null =>
        ofTenant(state.drafts, tenantId).find((draft) => draft.contactId === contactId && draft.state === "pending") ??
        null
      const supersede = (tenantId: string, contactId: string): void => {
        const draft = pending(tenantId, contactId)
        if (draft !== null) state.drafts.set(keyOf(tenantId, draft.draftId), { ...draft, state: "superseded" })
      }
      return Drafts.of({
        propose: (draft) =>
          Effect.suspend(() => {
            supersede(draft.tenantId, draft.contactId)
            return addNew(state.drafts, keyOf(draft.tenantId, draft.draftId), draft)
          }),
        supersede: (tenantId, contactId) => Effect.sync(() => supersede(tenantId, contactId)),
        pending: (tenantId, contactId) => Effect.sync(() => pending(tenantId, contactId))
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
