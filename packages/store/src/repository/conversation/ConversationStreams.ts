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
  from: `conversations c ${by(`conversations_${index}`)}`,
  alias: "c",
  time: "c.last_timestamp",
  where,
  params,
  rank: 0
})

const everything: Stream = {
  from: "conversations c",
  alias: "c",
  time: "c.last_timestamp",
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
  ...indexed(by, "snoozed", "c.snooze_until IS NOT NULL AND c.snooze_until <= ?", [now]),
  time: "(c.last_timestamp + 0)"
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
        indexed(by, "unassigned", "c.state = ? AND c.assignee_id IS NULL", [query.state]),
        indexed(by, "assigned", "c.state = ? AND c.assignee_id IS NOT NULL", [query.state])
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
      ? indexed(by, "unassigned", "c.state = ? AND c.assignee_id IS NULL", [state])
      : indexed(by, "assignee", "c.assignee_id = ? AND c.state = ?", [assigneeId, state])
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
        indexed(by, "priority", "c.priority = ? AND c.state = ? AND c.priority <> 'normal'", [priority, state])
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
  indexed(by, "unread", "c.unread > 0", []),
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
    return perState(by, query, reader, (state) => indexed(by, "team", "c.team_id = ? AND c.state = ?", [teamId, state]))
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
    const stream = indexed(by, "waiting", "c.waiting_since IS NOT NULL", [])
    return [{ ...stream, time: "c.waiting_since" }]
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

/** The columns of a list, and the joins that they need. */
interface Shown {
  readonly columns: string
  readonly joins: string
}

type Sort = ConversationQuery["sort"]

const directionOf = (sort: Sort) => (sort === "waiting_since" ? ([">", "ASC"] as const) : (["<", "DESC"] as const))

/** Returns the only stream if it reads nothing but conversations; null otherwise. */
const onlyStream = (streams: ReadonlyArray<StartedStream>): StartedStream | null => {
  const [only] = streams
  return only !== undefined && streams.length === 1 && only[0].alias === "c" ? only : null
}

/**
 * Returns a query of one stream, for SQLite: it needs one search less for each row than `mergedText`. The planner of
 * Postgres expects a tenth of all rows of an unknown limit, and would read all contacts. Its parameters are those of
 * `directParams`.
 */
const directText = ({ columns, joins }: Shown, { from, rank, time, where }: Stream, sort: Sort): string => {
  const [compare, order] = directionOf(sort)
  return `SELECT ${rank} AS "rank", ${time} AS at, ${columns} FROM ${from} ${joins}
    WHERE c.tenant_id = ? AND ${where} AND (${time}, c.contact_id) ${compare} (?, ?)
    ORDER BY ${time} ${order}, c.contact_id ${order} LIMIT ?`
}

/** Returns the parameters of `directText`. */
const directParams = (
  tenantId: string,
  userId: string | null,
  [stream, start]: StartedStream,
  limit: number
): ReadonlyArray<Param> => [userId ?? "", tenantId, ...stream.params, ...start, limit]

/** Returns a query that merges the first conversations of streams. Its parameters are those of `streamParams`. */
export const mergedText = (by: By, { columns, joins }: Shown, streams: ReadonlyArray<Stream>, sort: Sort): string => {
  const [compare, order] = directionOf(sort)
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

/** The reader and the size of a page. */
interface PageOf {
  readonly tenantId: string
  readonly userId: string | null
  readonly limit: number
}

/** A statement that reads one page. */
type PageStatement = readonly [text: string, params: ReadonlyArray<Param>]

/** Returns the statement of a page for any database. */
export const pageOfStreams = (
  by: By,
  shown: Shown,
  streams: ReadonlyArray<StartedStream>,
  sort: Sort,
  { limit, tenantId, userId }: PageOf
): PageStatement => {
  const all = streams.map(([stream]) => stream)
  return [mergedText(by, shown, all, sort), streamParams(tenantId, userId, streams, limit)]
}

/** Returns the statement of a page for SQLite. */
export const pageOnSqlite: typeof pageOfStreams = (by, shown, streams, sort, page) => {
  const only = onlyStream(streams)
  return only === null
    ? pageOfStreams(by, shown, streams, sort, page)
    : [directText(shown, only[0], sort), directParams(page.tenantId, page.userId, only, page.limit)]
}
