import { Effect } from "effect"
import type { ConversationCount } from "../../domain/conversation/ConversationCount.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { ReadMarks } from "../../port/repository/conversation/ReadMarks.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"

/** The numbers of the inbox. All numbers except those by state and `unread` count only open conversations. */
export interface InboxCounts {
  readonly open: number
  readonly snoozed: number
  readonly closed: number
  readonly unassigned: number
  /** The conversations of the acting user; 0 without one. */
  readonly mine: number
  /** The conversations with unread messages in any state, for the acting user or shared. */
  readonly unread: number
  /** The conversations by team. Teams without conversations are omitted. */
  readonly teams: ReadonlyArray<{ readonly teamId: string; readonly open: number }>
}

const total = (counts: ReadonlyArray<ConversationCount>): number =>
  counts.reduce((sum, { conversations }) => sum + conversations, 0)

const byTeam = (open: ReadonlyArray<ConversationCount>): InboxCounts["teams"] => {
  const teams = Map.groupBy(
    open.filter(({ teamId }) => teamId !== ""),
    ({ teamId }) => teamId
  )
  return [...teams]
    .map(([teamId, counts]) => ({ teamId, open: total(counts) }))
    .toSorted((one, other) => (one.teamId < other.teamId ? -1 : 1))
}

/** Returns exact numbers of conversations. Triggers maintain them, so the cost does not depend on their size. */
export const countConversations = Effect.fnUntraced(function* (tenantId: string, userId: string | null) {
  yield* (yield* Tenants).get(tenantId)
  const counts = yield* (yield* Conversations).counts(tenantId)
  const difference = userId === null ? 0 : yield* (yield* ReadMarks).difference(tenantId, userId)
  const open = counts.filter(({ state }) => state === "open")
  return {
    open: total(open),
    snoozed: total(counts.filter(({ state }) => state === "snoozed")),
    closed: total(counts.filter(({ state }) => state === "closed")),
    unassigned: total(open.filter(({ assigneeId }) => assigneeId === "")),
    mine: userId === null ? 0 : total(open.filter(({ assigneeId }) => assigneeId === userId)),
    unread: total(counts.filter(({ isUnread }) => isUnread)) + difference,
    teams: byTeam(open)
  } satisfies InboxCounts
}, withSpan("countConversations"))
