import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { type Conversation, conversationPageSize } from "../../domain/conversation/Conversation.ts"
import type { ConversationKey } from "../../domain/conversation/ConversationQuery.ts"
import {
  CursorInvalid,
  type CursorKey,
  type CursorScope,
  decodeCursor,
  encodeCursor
} from "../../domain/conversation/Cursor.ts"
import type { InboxView } from "../../domain/conversation/InboxFilter.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"
import { type Bounds, findConversations } from "./FindConversations.ts"
import { resolveFilter } from "./ResolveFilter.ts"
import { searchConversations } from "./SearchConversations.ts"

/**
 * The maximum number of conversations that one page examines. If few of them match several filters, the page is short
 * and has a cursor.
 */
export const maxExamined = 2_000

const toCursor = ({ at, contactId, rank }: ConversationKey, { sort }: InboxView): CursorKey =>
  sort === "-priority" ? [at, contactId, rank] : [at, contactId]

const fromCursor = ([at, contactId, rank = 0]: CursorKey): ConversationKey | null =>
  typeof at === "number" && typeof contactId === "string" && typeof rank === "number" ? { at, contactId, rank } : null

const scopeOf = (tenantId: string, { sort, tags, ...rest }: InboxView): CursorScope => {
  const filters = { ...rest, tags: tags.length === 0 ? null : JSON.stringify(tags) }
  return { tenantId, list: "conversations", filters: { ...filters, sort: sort === "-last_timestamp" ? null : sort } }
}

/** Finds conversations of a view, by text or in the order of an index. */
export const findInView = Effect.fnUntraced(function* (
  tenantId: string,
  { sort, ...filter }: InboxView,
  bounds: Bounds
) {
  const query = { ...(yield* resolveFilter(tenantId, filter)), sort }
  return filter.text === null
    ? yield* findConversations(tenantId, query, bounds)
    : yield* searchConversations(tenantId, filter.text, query, bounds)
})

/**
 * Returns a page of conversations, one for each contact. `userId` selects whose unread state counts. A page has fewer
 * conversations than its size, and still a cursor, when few of `maxExamined` conversations match.
 */
export const listConversations = Effect.fnUntraced(function* (
  tenantId: string,
  view: InboxView,
  page: { readonly cursor: string | null; readonly userId: string | null }
) {
  yield* (yield* Tenants).get(tenantId)
  const { pepper } = yield* Secrets
  const scope = scopeOf(tenantId, view)
  const { cursor, userId } = page
  const decoded = cursor === null ? null : decodeCursor(cursor, scope, pepper)
  const after = decoded === null ? null : fromCursor(decoded)
  if (cursor !== null && after === null) return yield* new CursorInvalid()
  const bounds = { after, userId, wanted: conversationPageSize, examined: maxExamined }
  const { found, next } = yield* findInView(tenantId, view, bounds)
  const conversations: ReadonlyArray<Conversation> = found.map(({ conversation }) => conversation)
  return { conversations, nextCursor: next === null ? null : encodeCursor(scope, toCursor(next, view), pepper) }
}, withSpan("listConversations"))
