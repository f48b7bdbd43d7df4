import type { FollowedClosing, FollowedMessage, FollowedRun } from "@leadloom/core/internal/domain/report/Fact"
import type { StoredResult } from "@leadloom/core/internal/domain/run/StoredRun"
import type { Reports, StreamRange } from "@leadloom/core/internal/port/repository/tenant/Reports"
import { type Context, Effect } from "effect"
import { readArray, readObject } from "../../sql/Json.ts"
import type { Queries } from "../../sql/Queries.ts"
import type { Query } from "../../sql/Statements.ts"
import { mayHaveArrived } from "../conversation/ConversationRows.ts"

type Port = Context.Service.Shape<typeof Reports>

/** A row whose tags are not parsed yet. A contact without a conversation has none. */
type Stored<A extends { readonly tags: ReadonlyArray<string> }> = Omit<A, "tags"> & { readonly tags: string | null }

const withTags = <A extends { readonly tags: string | null }>({ tags, ...row }: A) => ({
  ...row,
  tags: tags === null ? [] : readArray<string>(tags)
})

const ours = "('agent', 'assistant')"

/**
 * The time of the contact's first message since the tenant's previous one. Only messages with smaller ids count, so the
 * result does not depend on the time of the query.
 */
const waitingSince = `(SELECT min(c."timestamp") FROM messages c
  WHERE c.tenant_id = m.tenant_id AND c.contact_id = m.contact_id AND c.actor = 'contact' AND c.auto IS NULL
    AND c.message_id < m.message_id AND c."timestamp" <= m."timestamp"
    AND c."timestamp" > coalesce((SELECT max(o."timestamp") FROM messages o
      WHERE o.tenant_id = m.tenant_id AND o.contact_id = m.contact_id AND o.actor IN ${ours}
        AND o.auto IS NULL AND ${mayHaveArrived("o")} AND o.message_id < m.message_id AND o."timestamp" <= m."timestamp"), -1))`

/** The time of the previous closing of the conversation that `a` closes; -1 for the first one. */
const previousClosing = `coalesce((SELECT max(p.happened_at) FROM activities p
  WHERE p.tenant_id = a.tenant_id AND p.contact_id = a.contact_id AND p.type = 'conversation_closed'
    AND p.activity_id < a.activity_id AND p.happened_at <= a.happened_at), -1)`

/** The first message of the contact after the previous closing. Imported history is older than the time of its arrival. */
const firstMessage = (time: string): string => `(SELECT min(f.received_at) FROM messages f
  WHERE f.tenant_id = a.tenant_id AND f.contact_id = a.contact_id AND f.actor = 'contact' AND f.auto IS NULL
    AND f.received_at > ${time} AND f."timestamp" > ${time} AND f.received_at <= a.happened_at)`

const reopening = `(SELECT min(r.happened_at) FROM activities r
  WHERE r.tenant_id = a.tenant_id AND r.contact_id = a.contact_id AND r.type = 'conversation_reopened'
    AND r.happened_at > ${previousClosing} AND r.happened_at <= a.happened_at)`

/** The channel and source of a closed conversation are those of the contact's last message before the closing. */
const lastMessageId = `(SELECT l.message_id FROM messages l
  WHERE l.tenant_id = a.tenant_id AND l.contact_id = a.contact_id AND l.actor = 'contact'
    AND l.received_at <= a.happened_at ORDER BY l.received_at DESC, l.message_id DESC LIMIT 1)`

type ClosingRow = Omit<Stored<FollowedClosing>, "openedAt"> & {
  readonly firstMessage: number | null
  readonly reopening: number | null
}

const earliest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

type RunRow = Omit<Stored<FollowedRun>, "reply"> & { readonly result: string }

const replyOf = (text: string): string => {
  const { steps } = readObject<StoredResult>(text)
  const step = steps.find((one) => one.step === "reply")
  if (step === undefined) return ""
  const reason = step.reasonData?.code
  return reason === undefined ? step.outcome : `${step.outcome}:${reason}`
}

/** The SQL of a stream: its columns, its tables with the alias of the rows, and the column of their ids. */
interface StreamSql {
  readonly columns: string
  readonly from: string
  readonly alias: string
  readonly id: string
  readonly condition?: string
}

const messagesSql: StreamSql = {
  columns: `m.channel, m.source, m.actor, m.user_id AS "userId", m."timestamp",
    CASE WHEN m.auto IS NULL AND ${mayHaveArrived("m")} THEN 1 ELSE 0 END AS "isCounted",
    CASE WHEN m.auto IS NULL THEN m.delivery END AS delivery,
    CASE WHEN m.actor IN ${ours} THEN ${waitingSince} END AS "waitingSince"`,
  from: "messages m",
  alias: "m",
  id: "message_id"
}

const closingsSql: StreamSql = {
  columns: `k.channel, k.source, a.actor, a.user_id AS "userId", a.happened_at AS "closedAt",
    ${firstMessage(previousClosing)} AS "firstMessage", ${reopening} AS reopening`,
  from: `activities a JOIN messages k ON k.tenant_id = a.tenant_id AND k.message_id = ${lastMessageId}`,
  alias: "a",
  id: "activity_id",
  condition: "AND a.type = 'conversation_closed'"
}

const runsSql: StreamSql = {
  columns: `k.channel, k.source, r.created_at AS "createdAt", CAST(r.result AS text) AS result`,
  from: "runs r JOIN messages k ON k.tenant_id = r.tenant_id AND k.message_id = r.message_id",
  alias: "r",
  id: "run_id"
}

/** Prepares the query of a stream, for all contacts and for one. */
const reading = <Row extends object>(
  { by, query }: Queries,
  { alias, columns, condition = "", from, id }: StreamSql
) => {
  const text = (contact: string): string =>
    `SELECT ${alias}.${id} AS id, ${alias}.tenant_id AS "tenantId", c.team_id AS "teamId",
        CAST(c.tags AS text) AS tags, ${columns}
      FROM ${from} LEFT JOIN conversations c ${by("conversations_contact")}
        ON c.tenant_id = ${alias}.tenant_id AND c.contact_id = ${alias}.contact_id
      WHERE ${alias}.tenant_id = ? ${contact} AND ${alias}.${id} > ? AND ${alias}.${id} < ? ${condition}
      ORDER BY ${alias}.${id} LIMIT ?`
  const ofTenant: Query<Row> = query<Row>(text(""))
  const ofContact: Query<Row> = query<Row>(text(`AND ${alias}.contact_id = ?`))
  return (tenantId: string, { after, before, limit, subjectId }: StreamRange) =>
    subjectId === "" ? ofTenant(tenantId, after, before, limit) : ofContact(tenantId, subjectId, after, before, limit)
}

/** The statements that read the counted rows. */
export const reportRows = (all: Queries): Pick<Port, "messages" | "closings" | "runs"> => {
  const messages = reading<Omit<Stored<FollowedMessage>, "isCounted"> & { readonly isCounted: number }>(
    all,
    messagesSql
  )
  const closings = reading<ClosingRow>(all, closingsSql)
  const runs = reading<RunRow>(all, runsSql)
  return {
    messages: (tenantId, range) =>
      Effect.map(messages(tenantId, range), (rows) =>
        rows.map((row): FollowedMessage => ({ ...withTags(row), isCounted: row.isCounted === 1 }))
      ),
    closings: (tenantId, range) =>
      Effect.map(closings(tenantId, range), (rows) =>
        rows.map(({ firstMessage, reopening, ...row }): FollowedClosing => ({
          ...withTags(row),
          openedAt: earliest(firstMessage, reopening)
        }))
      ),
    runs: (tenantId, range) =>
      Effect.map(runs(tenantId, range), (rows) =>
        rows.map(({ result, ...run }): FollowedRun => ({ ...withTags(run), reply: replyOf(result) }))
      )
  }
}
