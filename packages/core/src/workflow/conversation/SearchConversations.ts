import { Effect } from "effect"
import type { Conversation } from "../../domain/conversation/Conversation.ts"
import {
  type ConversationKey,
  type ConversationQuery,
  matchesFilter,
  priorityRank
} from "../../domain/conversation/ConversationQuery.ts"
import { parseSearchQuery, type SearchQuery } from "../../domain/search/SearchQuery.ts"
import { type IndexMatches, Search, type SearchKind } from "../../port/repository/contact/Search.ts"
import { Conversations, type ListedConversation } from "../../port/repository/conversation/Conversations.ts"
import { catchUp } from "../search/WorkSearch.ts"
import type { Bounds } from "./FindConversations.ts"

/** The maximum number of found messages, and of found contacts, whose conversations a filter by text considers. */
export const maxTextMatches = 200

/** The maximum number of reads of the index. Each one searches a limited part. */
const maxReads = 4

/** Returns the ids of the newest matches of one kind. */
const idsOf = Effect.fnUntraced(function* (tenantId: string, kind: SearchKind, text: SearchQuery) {
  const { places } = yield* Search
  const ids: Array<string> = []
  let after: string | null = null
  for (let read = 0; read < maxReads && ids.length < maxTextMatches; read++) {
    const limit = maxTextMatches - ids.length
    const matches: IndexMatches = yield* places(tenantId, kind, text, { since: null, after, until: null, limit })
    ids.push(...matches.places.map(({ id }) => id))
    after = matches.end
    if (after === null) break
  }
  return ids
})

const contactsOf = Effect.fnUntraced(function* (tenantId: string, text: SearchQuery) {
  if (text.length === 0) return []
  const messageIds = yield* idsOf(tenantId, "conversations", text)
  const messages = yield* (yield* Search).messages(tenantId, messageIds)
  const contactIds = yield* idsOf(tenantId, "contacts", text)
  return [...new Set([...messages.map(({ contactId }) => contactId), ...contactIds])]
})

const keyOf = (conversation: Conversation, { sort }: ConversationQuery): ConversationKey => ({
  rank: sort === "-priority" ? priorityRank(conversation.priority) : 0,
  at: (sort === "waiting_since" ? conversation.waitingSince : null) ?? conversation.lastTimestamp,
  contactId: conversation.contactId
})

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Returns a negative number when one position is before the other one in the order of the list. */
const compareKeys = ({ sort }: ConversationQuery, one: ConversationKey, other: ConversationKey): number => {
  const ascending = one.at - other.at || compareTexts(one.contactId, other.contactId)
  return sort === "waiting_since" ? ascending : other.rank - one.rank || -ascending
}

const isShown = (conversation: Conversation, query: ConversationQuery): boolean =>
  matchesFilter(conversation, query) && (query.sort !== "waiting_since" || conversation.waitingSince !== null)

/**
 * Finds conversations by words in their messages and in the contact's data. Considers the newest `maxTextMatches`
 * messages and contacts that match.
 */
export const searchConversations = Effect.fnUntraced(function* (
  tenantId: string,
  text: string,
  query: ConversationQuery,
  { after, userId, wanted }: Pick<Bounds, "after" | "userId" | "wanted">
) {
  yield* catchUp(tenantId, "newest")
  const contactIds = yield* contactsOf(tenantId, parseSearchQuery(text))
  const conversations = yield* (yield* Conversations).among(tenantId, contactIds, userId)
  const listed = conversations
    .filter((conversation) => isShown(conversation, query))
    .map((conversation): ListedConversation => ({ conversation, key: keyOf(conversation, query) }))
    .filter(({ key }) => after === null || compareKeys(query, after, key) < 0)
    .toSorted((one, other) => compareKeys(query, one.key, other.key))
  const found = listed.slice(0, wanted)
  return { found, next: listed.length > wanted ? (found.at(-1)?.key ?? null) : null }
})
