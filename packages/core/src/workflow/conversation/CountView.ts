import { Effect } from "effect"
import type { ConversationCount } from "../../domain/conversation/ConversationCount.ts"
import { noOne } from "../../domain/conversation/ConversationQuery.ts"
import { type InboxView, noFilter } from "../../domain/conversation/InboxFilter.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { findInView } from "./ListConversations.ts"

/** The number up to which a view with several filters is counted. */
export const maxViewCount = 100

/** The number of conversations that a count examines. */
const maxExamined = 500

/** The number of conversations of a view. If it is not exact, the view has at least this number. */
export interface ViewCount {
  readonly conversations: number
  readonly isExact: boolean
}

/** Returns whether counters have all filters of a view. They have only the shared unread state. */
const isCounted = (
  { assigneeId: _a, sort, state: _s, teamId: _t, unread, ...rest }: InboxView,
  userId: string | null
) =>
  sort !== "waiting_since" &&
  (unread === null || userId === null) &&
  JSON.stringify({ ...noFilter, ...rest }) === JSON.stringify(noFilter)

const fits = (wanted: string | null, id: string): boolean =>
  wanted === null || (wanted === noOne ? id === "" : id === wanted)

const matches = (count: ConversationCount, { assigneeId, state, teamId, unread }: InboxView): boolean =>
  (state === null || count.state === state) &&
  (unread === null || count.isUnread === unread) &&
  fits(assigneeId, count.assigneeId) &&
  fits(teamId, count.teamId)

/**
 * Counts the conversations of a view for a user. The number is exact when counters have all filters of the view, and
 * otherwise up to `maxViewCount`. The cost does not depend on the number of conversations.
 */
export const countView = Effect.fnUntraced(function* (tenantId: string, view: InboxView, userId: string | null) {
  if (isCounted(view, userId)) {
    const counts = yield* (yield* Conversations).counts(tenantId)
    const matching = counts.filter((count) => matches(count, view))
    return { conversations: matching.reduce((sum, one) => sum + one.conversations, 0), isExact: true }
  }
  const bounds = { after: null, userId, wanted: maxViewCount, examined: maxExamined }
  const { found, next } = yield* findInView(tenantId, view, bounds)
  const count: ViewCount = { conversations: found.length, isExact: next === null }
  return count
})
