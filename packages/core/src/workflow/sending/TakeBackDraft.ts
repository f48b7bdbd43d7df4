import { Effect } from "effect"
import type { Reservation } from "../../domain/sending/Reservation.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { draftOfKey } from "../../domain/draft/Draft.ts"

/**
 * A send has failed for good, nothing of it has left: the draft that it was made of waits for a person again, unless
 * somebody has written since. Runs in the unit of work that ends the send.
 */
export const takeBackDraft = Effect.fnUntraced(function* ({ contactId, key, tenantId }: Reservation) {
  const draftId = draftOfKey(key)
  if (draftId === null) return
  const drafts = yield* Drafts
  const draft = yield* drafts.find(tenantId, draftId)
  if (draft === null) return
  const since = yield* (yield* Messages).newestSince(tenantId, contactId, draft.messageId)
  const other = yield* drafts.pending(tenantId, contactId)
  yield* drafts.takeBack(tenantId, draftId, since === null && other === null ? "pending" : "superseded")
})
