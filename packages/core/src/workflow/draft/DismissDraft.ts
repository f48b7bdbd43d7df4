import { Effect } from "effect"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { draftChanged, findDraft } from "./FindDraft.ts"

/** Throws a draft away, the task that goes with it is done. One that does not wait any more stays as it is; sent is sent. */
export const dismissDraft = Effect.fn("dismissDraft")(function* (
  tenantId: string,
  contactId: string,
  draftId: string | null
) {
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const { draft } = yield* findDraft(tenantId, contactId, draftId)
      if (draft.state === "sent") return yield* draftChanged(draft, "sent")
      yield* (yield* Drafts).end(tenantId, draft.draftId, "dismissed")
    })
  )
})
