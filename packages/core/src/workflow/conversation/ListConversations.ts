import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { normalizeEmail } from "../../domain/address/Address.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { conversationPageSize, type ConversationKey } from "../../domain/conversation/Conversation.ts"
import { CursorInvalid, type CursorScope, decodeCursor, encodeCursor } from "../../domain/conversation/Cursor.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Returns a page of conversations, one for each contact, newest first. `alias` selects the conversations with mail to
 * this address.
 */
export const listConversations = Effect.fnUntraced(function* (
  tenantId: string,
  page: { readonly alias: string | null; readonly cursor: string | null }
) {
  yield* (yield* Tenants).get(tenantId)
  const { pepper } = yield* Secrets
  const alias = page.alias === null ? null : normalizeEmail(page.alias)
  const scope: CursorScope = { tenantId, list: "conversations", filters: { alias } }
  let after: ConversationKey | null = null
  if (page.cursor !== null) {
    const [lastTimestamp, contactId] = decodeCursor(page.cursor, scope, pepper) ?? []
    if (typeof lastTimestamp !== "number" || typeof contactId !== "string") return yield* new CursorInvalid()
    after = { lastTimestamp, contactId }
  }
  const found = yield* (yield* Conversations).page(tenantId, conversationPageSize + 1, after, alias)
  const conversations = found.slice(0, conversationPageSize)
  const last = conversations.at(-1)
  const more = found.length > conversationPageSize && last !== undefined
  return { conversations, nextCursor: more ? encodeCursor(scope, [last.lastTimestamp, last.contactId], pepper) : null }
}, withSpan("listConversations"))
