import { Effect } from "effect"
import type { ConversationChange } from "../../domain/conversation/ConversationChange.ts"
import type { Conversation } from "../../domain/conversation/Conversation.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { withSpan } from "../WithSpan.ts"
import { changeConversation, checkChange } from "./UpdateConversation.ts"

/** The maximum number of conversations that one request changes. */
export const maxBulk = 500

/** The number of conversations per unit of work, so that other units of the tenant do not wait long. */
const unitSize = 50

/** The result for one contact. `invalid`: the change does not fit the state of this conversation. */
export interface BulkResult {
  readonly contactId: string
  readonly outcome: "updated" | "not_found" | "invalid"
  /** The row of the list after the change; null if nothing changed. */
  readonly conversation: Conversation | null
}

/**
 * Changes several conversations in units of work of `unitSize` conversations. An unknown user or team fails the request
 * before any change. Other failures concern one contact only. Repeating a request has no further effect.
 */
export const updateConversations = Effect.fnUntraced(function* (
  tenantId: string,
  contactIds: ReadonlyArray<string>,
  change: ConversationChange,
  userId: string | null
) {
  yield* (yield* Tenants).get(tenantId)
  const { atomically } = yield* Transactions
  const ids = [...new Set(contactIds)]
  const changed = (contactId: string) => {
    const failed = (outcome: BulkResult["outcome"]) => () =>
      Effect.succeed<BulkResult>({ contactId, outcome, conversation: null })
    return changeConversation(tenantId, contactId, change, userId).pipe(
      Effect.map((conversation): BulkResult => ({ contactId, outcome: "updated", conversation })),
      Effect.catchTags({ ConversationNotFound: failed("not_found"), ConversationChangeInvalid: failed("invalid") })
    )
  }
  const results: Array<BulkResult> = []
  for (let from = 0; from < ids.length; from += unitSize) {
    const unit = Effect.gen(function* () {
      yield* checkChange(tenantId, change)
      yield* recordAuditChange({ before: null, after: { conversations: ids.length, ...change } })
      return yield* Effect.forEach(ids.slice(from, from + unitSize), changed)
    })
    results.push(...(yield* atomically(tenantId, unit)))
  }
  return results
}, withSpan("updateConversations"))
