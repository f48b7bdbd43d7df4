import {
  type ConversationKey,
  type ConversationQuery,
  noOne,
  priorityRank
} from "@leadloom/core/internal/domain/conversation/ConversationQuery"
import {
  conversationPriorities,
  type ConversationPriority,
  type ConversationState,
  conversationStates
} from "@leadloom/core/internal/domain/conversation/InboxState"
import type { Param } from "../../sql/Param.ts"
import { newest, oldest, type Queries } from "../../sql/Queries.ts"

/** A range of an index that has the conversations of a tenant in order. */
export interface Stream {
  readonly from: string
  /** The table in `from` with the tenant and the contact. */
  readonly alias: string
  /** The column of the order: the time of the newest message, or the start of the wait. */
  readonly time: string
  readonly where: string
  readonly params: ReadonlyArray<Param>
  /** The rank of all conversations of the stream, in a list by priority. */
  readonly rank: number
}

type By = Queries["by"]

const indexed = (by: By, index: string, where: string, params: ReadonlyArray<Param>): Stream => ({
  from: `conversations s ${by(`conversations_${index}`)}`,
  alias: "s",
  time: "s.last_timestamp",
  where,
  params,
  rank: 0
})

const everything: Stream = {
  from: "conversations s",
  alias: "s",
  time: "s.last_timestamp",
  where: "true",
  params: [],
  rank: 0
}

const following = (by: By, table: string, column: string, value: string): Stream => ({
  from: `${table} s ${by(`${table}_newest`)}`,
  alias: "s",
  time: "s.last_timestamp",
  where: `s.${column} = ?`,
  params: [value],
  rank: 0
})

/** The contact list has all contacts. Those without a conversation have no tier, lead state and channel. */
const listed = (by: By, column: string, value: string): ReadonlyArray<Stream> =>
  [0, 1].map((archived) => ({
    from: `contact_list s ${by(`contact_list_${column}`)}`,
    alias: "s",
    time: "s.last_activity_at",
    where: `s.archived = ? AND s.${column} = ?`,
    params: [archived, value],
    rank: 0
  }))

/** The reader of a list, and the time of the read. */
export interface Reader {
  readonly userId: string | null
  readonly now: number
}

/**
 * The conversations whose snooze has ended. They are still stored as snoozed. Jobs open them when they become due, so
 * there are few of them. The order is an expression, so that Postgres finds them by the end of the snooze. Otherwise it
 * expects many of them, and reads all conversations in the order of time.
 */
const due = (by: By, now: number): Stream => ({
  ...indexed(by, "snoozed", "s.snooze_until IS NOT NULL AND s.snooze_until <= ?", [now]),
  time: "(s.last_timestamp + 0)"
})

/** The streams of a query by state. If it names open conversations, they include those whose snooze has ended. */
const withDue = (
  by: By,
  { state }: ConversationQuery,
  { now }: Reader,
  streams: ReadonlyArray<Stream>
): ReadonlyArray<Stream> => (state === "open" ? [...streams, due(by, now)] : streams)

const statesOf = ({ state }: ConversationQuery) => (state === null ? conversationStates : [state])

/** The conversations of each state, and all conversations if the query names no state. */
const byState = (by: By, query: ConversationQuery, reader: Reader): ReadonlyArray<Stream> =>
  query.state === null
    ? [everything]
    : withDue(by, query, reader, [
        indexed(by, "unassigned", "s.state = ? AND s.assignee_id IS NULL", [query.state]),
        indexed(by, "assigned", "s.state = ? AND s.assignee_id IS NOT NULL", [query.state])
      ])

/** The streams of each state that a query names. */
const perState = (
  by: By,
  query: ConversationQuery,
  reader: Reader,
  streamOf: (state: ConversationState) => Stream
): ReadonlyArray<Stream> => withDue(by, query, reader, statesOf(query).map(streamOf))

const ofAssignee = (by: By, query: ConversationQuery, reader: Reader, assigneeId: string): ReadonlyArray<Stream> =>
  perState(by, query, reader, (state) =>
    assigneeId === noOne
      ? indexed(by, "unassigned", "s.state = ? AND s.assignee_id IS NULL", [state])
      : indexed(by, "assignee", "s.assignee_id = ? AND s.state = ?", [assigneeId, state])
  )

const ofPriority = (
  by: By,
  query: ConversationQuery,
  reader: Reader,
  priority: ConversationPriority
): ReadonlyArray<Stream> =>
  (priority === "normal"
    ? byState(by, query, reader)
    : perState(by, query, reader, (state) =>
        indexed(by, "priority", "s.priority = ? AND s.state = ? AND s.priority <> 'normal'", [priority, state])
      )
  ).map((stream) => ({ ...stream, rank: priorityRank(priority) }))

/** A user's marks on conversations that are read for everybody else. A user has few of them. */
const markedUnread = (by: By, userId: string): Stream => ({
  from: `conversation_reads r ${by("conversation_reads_user")}
    JOIN conversations s ON s.tenant_id = r.tenant_id AND s.contact_id = r.contact_id`,
  alias: "r",
  time: "s.last_timestamp",
  where: "r.user_id = ? AND r.seen < 0 AND s.unread = 0",
  params: [userId],
  rank: 0
})

const ofUnread = (by: By, userId: string | null): ReadonlyArray<Stream> => [
  indexed(by, "unread", "s.unread > 0", []),
  ...(userId === null ? [] : [markedUnread(by, userId)])
]

/** Returns the streams of the filter that selects the fewest conversations, as a rule. */
const selective = (by: By, query: ConversationQuery, reader: Reader): ReadonlyArray<Stream> => {
  const { aliases, assigneeId, channel, leadState, priority, tags, teamId, tier, unread } = query
  const [tag] = tags
  if (aliases !== null) return aliases.map((alias) => following(by, "conversation_aliases", "alias", alias))
  if (tag !== undefined) return [following(by, "conversation_tags", "tag", tag)]
  if (assigneeId !== null && assigneeId !== noOne) return ofAssignee(by, query, reader, assigneeId)
  if (priority !== null && priority !== "normal") return ofPriority(by, query, reader, priority)
  if (teamId !== null && teamId !== noOne) {
    return perState(by, query, reader, (state) => indexed(by, "team", "s.team_id = ? AND s.state = ?", [teamId, state]))
  }
  if (unread === true) return ofUnread(by, reader.userId)
  if (tier !== null) return listed(by, "tier", tier)
  if (leadState !== null) return listed(by, "state", leadState)
  if (assigneeId === noOne) return ofAssignee(by, query, reader, noOne)
  if (query.state !== null && query.state !== "open") return byState(by, query, reader)
  return channel === null ? byState(by, query, reader) : listed(by, "channel", channel)
}

/** Returns the streams of a list, which together have all its conversations. Several addresses may have the same one. */
export const streamsOf = (by: By, query: ConversationQuery, reader: Reader): ReadonlyArray<Stream> => {
  if (query.sort === "waiting_since") {
    const stream = indexed(by, "waiting", "s.waiting_since IS NOT NULL", [])
    return [{ ...stream, time: "s.waiting_since" }]
  }
  if (query.sort !== "-priority") return selective(by, query, reader)
  const priorities = query.priority === null ? conversationPriorities : [query.priority]
  return priorities.flatMap((priority) => ofPriority(by, query, reader, priority))
}

type StartedStream = readonly [stream: Stream, start: ReadonlyArray<Param>]

/** Returns the streams that continue after a position, each with the parameters of its start. */
export const streamsAfter = (
  streams: ReadonlyArray<Stream>,
  { sort }: ConversationQuery,
  after: ConversationKey | null
): ReadonlyArray<StartedStream> => {
  const begin = sort === "waiting_since" ? oldest : newest
  return streams
    .filter(({ rank }) => after === null || rank <= after.rank)
    .map((stream): StartedStream =>
      stream.rank === after?.rank ? [stream, [after.at, after.contactId]] : [stream, [begin, ""]]
    )
}

/** Returns a query that merges the first conversations of streams. Its parameters are those of `streamParams`. */
export const mergedText = (
  by: By,
  { columns, joins }: { readonly columns: string; readonly joins: string },
  streams: ReadonlyArray<Stream>,
  sort: ConversationQuery["sort"]
): string => {
  const [compare, order] = sort === "waiting_since" ? [">", "ASC"] : ["<", "DESC"]
  const one = ({ alias, from, rank, time, where }: Stream): string =>
    `SELECT * FROM (SELECT ${rank} AS "rank", ${time} AS at, ${alias}.contact_id FROM ${from}
      WHERE ${alias}.tenant_id = ? AND ${where} AND (${time}, ${alias}.contact_id) ${compare} (?, ?)
      ORDER BY ${time} ${order}, ${alias}.contact_id ${order} LIMIT ?) AS stream`
  const position = (name: string) => `${name}."rank" DESC, ${name}.at ${order}, ${name}.contact_id ${order}`
  return `SELECT page."rank", page.at, ${columns}
    FROM (SELECT * FROM (${streams.map(one).join(" UNION ALL ")}) AS streams ORDER BY ${position("streams")} LIMIT ?) AS page
      CROSS JOIN conversations c ${by("conversations_contact")} ${joins}
    WHERE c.tenant_id = ? AND c.contact_id = page.contact_id ORDER BY ${position("page")}`
}

/** Returns the parameters of `mergedText`. */
export const streamParams = (
  tenantId: string,
  userId: string | null,
  streams: ReadonlyArray<StartedStream>,
  limit: number
): ReadonlyArray<Param> => [
  ...streams.flatMap(([stream, start]) => [tenantId, ...stream.params, ...start, limit]),
  limit,
  userId ?? "",
  tenantId
]
