import { Effect } from "effect"
import { conversationPageSize } from "../../domain/conversation/Conversation.ts"
import {
  type ConversationKey,
  type ConversationQuery,
  matchesFilter,
  priorityRank
} from "../../domain/conversation/ConversationQuery.ts"
import { Conversations, type ListedConversation } from "../../port/repository/conversation/Conversations.ts"

/** The number of conversations in the first read of a page. Each further read has twice as many, up to the maximum. */
const firstRead = conversationPageSize + 1
const maxRead = 500

const matches = ({ conversation, key }: ListedConversation, query: ConversationQuery): boolean =>
  matchesFilter(conversation, query) && (query.sort !== "-priority" || key.rank === priorityRank(conversation.priority))

/** A page of matching conversations. `next` is null at the end of the list. */
export interface FoundConversations {
  readonly found: ReadonlyArray<ListedConversation>
  readonly next: ConversationKey | null
}

/** The bounds of one read of a list. */
export interface Bounds {
  readonly after: ConversationKey | null
  readonly userId: string | null
  /** The maximum number of conversations that the read returns. */
  readonly wanted: number
  /** The number of conversations after which the read ends, even if it has found too few. */
  readonly examined: number
}

/** Reads conversations until enough of them match, the list ends, or enough are examined. */
export const findConversations = Effect.fnUntraced(function* (
  tenantId: string,
  query: ConversationQuery,
  { after, examined: maxExamined, userId, wanted }: Bounds
) {
  const { walk } = yield* Conversations
  const found = new Map<string, ListedConversation>()
  let [position, examined] = [after, 0]
  for (let limit = firstRead; ; limit = Math.min(2 * limit, maxRead, maxExamined - examined)) {
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
