import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { type Conversation, conversationPageSize } from "../../domain/conversation/Conversation.ts"
import {
  type ConversationKey,
  type ConversationQuery,
  matchesFilter,
  priorityRank
} from "../../domain/conversation/ConversationQuery.ts"
import {
  CursorInvalid,
  type CursorKey,
  type CursorScope,
  decodeCursor,
  encodeCursor
} from "../../domain/conversation/Cursor.ts"
import { Conversations, type ListedConversation } from "../../port/repository/conversation/Conversations.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"
import { type InboxFilter, resolveFilter } from "./InboxFilter.ts"
import { searchConversations } from "./SearchConversations.ts"
import { wakeConversations } from "./WakeConversations.ts"

/**
 * The maximum number of conversations that one page examines. If few of them match several filters, the page is short
 * and has a cursor.
 */
export const maxExamined = 2_000

/** The number of conversations in the first read of a page and in each further one. */
const firstRead = conversationPageSize + 1
const furtherRead = 500

/** The requested page of the inbox. */
export interface ConversationPageRequest {
  readonly filter: InboxFilter
  readonly sort: ConversationQuery["sort"]
  readonly cursor: string | null
}

const toCursor = ({ at, contactId, rank }: ConversationKey, { sort }: ConversationQuery): CursorKey =>
  sort === "-priority" ? [at, contactId, rank] : [at, contactId]

const fromCursor = ([at, contactId, rank = 0]: CursorKey): ConversationKey | null =>
  typeof at === "number" && typeof contactId === "string" && typeof rank === "number" ? { at, contactId, rank } : null

const matches = ({ conversation, key }: ListedConversation, query: ConversationQuery): boolean =>
  matchesFilter(conversation, query) && (query.sort !== "-priority" || key.rank === priorityRank(conversation.priority))

/** A page of matching conversations. `next` is null at the end of the list. */
export interface FoundConversations {
  readonly found: ReadonlyArray<ListedConversation>
  readonly next: ConversationKey | null
}

/** Reads conversations until `wanted` of them match, the list ends, or `maxExamined` are read. */
export const findConversations = Effect.fnUntraced(function* (
  tenantId: string,
  query: ConversationQuery,
  {
    after,
    userId,
    wanted
  }: { readonly after: ConversationKey | null; readonly userId: string | null; readonly wanted: number }
) {
  const { walk } = yield* Conversations
  const found = new Map<string, ListedConversation>()
  let [position, examined] = [after, 0]
  for (let limit = firstRead; ; limit = furtherRead) {
    const read: ReadonlyArray<ListedConversation> = yield* walk(tenantId, query, { userId, after: position, limit })
    // A conversation with mail to several addresses appears once for each of them, at the same position.
    for (const one of read) if (matches(one, query)) found.set(one.conversation.contactId, one)
    examined += read.length
    position = read.at(-1)?.key ?? position
    const isOver = read.length < limit
    if (!isOver && found.size < wanted && examined < maxExamined) continue
    const page = [...found.values()].slice(0, wanted)
    const next = found.size > page.length ? (page.at(-1)?.key ?? null) : isOver ? null : position
    return { found: page, next } satisfies FoundConversations
  }
})

const scopeOf = (tenantId: string, { filter, sort }: ConversationPageRequest): CursorScope => {
  const { tags, ...rest } = filter
  const filters = { ...rest, tags: tags.length === 0 ? null : JSON.stringify(tags) }
  return { tenantId, list: "conversations", filters: { ...filters, sort: sort === "-last_timestamp" ? null : sort } }
}

const page = (
  tenantId: string,
  request: ConversationPageRequest,
  after: ConversationKey | null,
  userId: string | null
) =>
  Effect.gen(function* () {
    const query = { ...(yield* resolveFilter(tenantId, request.filter)), sort: request.sort }
    const bounds = { after, userId, wanted: conversationPageSize }
    return request.filter.text === null
      ? { query, ...(yield* findConversations(tenantId, query, bounds)) }
      : { query, ...(yield* searchConversations(tenantId, request.filter.text, query, bounds)) }
  })

/**
 * Returns a page of conversations, one for each contact. `userId` selects whose unread state counts. A page has fewer
 * conversations than its size, and still a cursor, when few of `maxExamined` conversations match.
 */
export const listConversations = Effect.fnUntraced(function* (
  tenantId: string,
  request: ConversationPageRequest,
  userId: string | null
) {
  yield* (yield* Tenants).get(tenantId)
  yield* wakeConversations(tenantId)
  const { pepper } = yield* Secrets
  const scope = scopeOf(tenantId, request)
  const decoded = request.cursor === null ? null : decodeCursor(request.cursor, scope, pepper)
  const after = decoded === null ? null : fromCursor(decoded)
  if (request.cursor !== null && after === null) return yield* new CursorInvalid()
  const { found, next, query } = yield* page(tenantId, request, after, userId)
  const conversations: ReadonlyArray<Conversation> = found.map(({ conversation }) => conversation)
  return { conversations, nextCursor: next === null ? null : encodeCursor(scope, toCursor(next, query), pepper) }
}, withSpan("listConversations"))
