import { Holdings, type HoldingsShape } from "@leadloom/core/port/Holdings"
import { type Kind, kinds } from "@leadloom/core/rights/Kind"
import { type Row, rowKey } from "@leadloom/core/rights/Record"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearable, fromStored, kindStatements, toStored } from "./HoldingsSql.ts"
import { type Queries, queries } from "./Queries.ts"

/** Statements of every kind, spelled once. */
const rowsOf = (database: Queries): Pick<HoldingsShape, "page" | "present" | "insert" | "remove"> => {
  const byName = new Map(kinds.map((kind) => [kind.name, kindStatements(database, kind)]))
  const of = ({ name }: Kind) => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`There is no kind ${name}.`)
    return found
  }
  const present: HoldingsShape["present"] = (tenantId, kind, rows) => {
    if (rows.length === 0) return Effect.succeed([])
    const asked = new Set(rows.map((row) => rowKey(kind, row)))
    return Effect.map(of(kind).byKeys(tenantId, rows), (found) => found.filter((row) => asked.has(rowKey(kind, row))))
  }
  return {
    present,
    page: Effect.fnUntraced(function* (tenantId, kind, contactId, after, limit) {
      const found = yield* of(kind).first(tenantId, contactId, after, limit)
      if (kind.long.length === 0) return found.map((stored) => fromStored(kind, stored))
      const order = new Map(bearable(found).map((stored, index) => [rowKey(kind, fromStored(kind, stored)), index]))
      const keys = [...found.slice(0, order.size)].map((stored) => fromStored(kind, stored))
      const place = (row: Row): number => order.get(rowKey(kind, row)) ?? 0
      return (yield* present(tenantId, kind, keys)).toSorted((one, other) => place(one) - place(other))
    }),
    insert: (tenantId, kind, rows) =>
      Effect.forEach(rows, (row) => of(kind).insert(tenantId, ...toStored(kind, row)), { discard: true }),
    remove: (tenantId, kind, rows) =>
      Effect.forEach(rows, (row) => of(kind).remove(tenantId, ...of(kind).keyOf(row)), { discard: true })
  }
}

const text = (values: ReadonlyArray<string>): string => JSON.stringify(values)

/** What erasing asks beside rows by their keys. */
const erasing = ({
  asJson,
  command,
  isOneOf,
  query,
  whole
}: Queries): Omit<HoldingsShape, "page" | "present" | "insert" | "remove"> => {
  const stopSignals = command("DELETE FROM signals WHERE tenant_id = ? AND contact_id = ? AND state = 'queued'")
  const stopSends = command(
    "DELETE FROM sends WHERE tenant_id = ? AND contact_id = ? AND state IN ('reserved', 'handed_over')"
  )
  const redactEvents = query(
    `UPDATE events SET contact_id = NULL, data = ${asJson(`'{"redacted":true}'`)}
      WHERE tenant_id = ? AND sequence IN
        (SELECT sequence FROM events WHERE tenant_id = ? AND contact_id = ? LIMIT ?) RETURNING 1 AS emptied`
  )
  const redactArrivals = command(
    `UPDATE arrivals SET detail = NULL WHERE tenant_id = ? AND message_id IS NOT NULL AND ${isOneOf("message_id")}`
  )
  const used = (column: string) =>
    query<{ readonly id: string }>(
      `SELECT DISTINCT ${column} AS id FROM messages WHERE tenant_id = ? AND ${column} IS NOT NULL AND ${isOneOf(column)}`
    )
  const inUse = { message_id: used("message_id"), thread_id: used("thread_id") }
  const drops = ["thread_ids", "thread_participants", "threads"].map((name) =>
    command(`DELETE FROM ${name} WHERE tenant_id = ? AND ${isOneOf("thread_id")}`)
  )
  const inThreads = `tenant_id = ? AND ${isOneOf("thread_id")}`
  const leaveParticipants = command(`DELETE FROM thread_participants WHERE ${inThreads} AND ${isOneOf("email")}`)
  const leaveIds = command(`DELETE FROM thread_ids WHERE ${inThreads} AND ${isOneOf("message_id")}`)
  const under = `SELECT m.contact_id FROM messages m WHERE m.tenant_id = ? AND m.lead_id IS NOT NULL AND ${isOneOf("m.lead_id")}`
  const releaseHeads = command(
    `UPDATE conversations SET lead_id = NULL WHERE tenant_id = ? AND contact_id IN (${under}) AND ${isOneOf("lead_id")}`
  )
  const threadsUnder = under.replace("m.contact_id", "m.thread_id")
  const releaseThreads = command(
    `UPDATE threads SET lead_id = NULL WHERE tenant_id = ? AND thread_id IN (${threadsUnder}) AND ${isOneOf("lead_id")}`
  )
  const releaseMessages = command(
    `UPDATE messages SET lead_id = NULL
      WHERE tenant_id = ? AND contact_id <> ? AND lead_id IS NOT NULL AND ${isOneOf("lead_id")}`
  )
  const releaseMerged = command(
    `UPDATE leads SET merged_into = NULL WHERE tenant_id = ? AND merged_into IS NOT NULL AND ${isOneOf("merged_into")}`
  )
  return {
    stopWork: (tenantId, contactId) =>
      whole(Effect.andThen(stopSignals(tenantId, contactId), stopSends(tenantId, contactId))),
    redactEvents: (tenantId, contactId, limit) =>
      Effect.map(redactEvents(tenantId, tenantId, contactId, limit), (rows) => rows.length),
    redactArrivals: (tenantId, messageIds) => redactArrivals(tenantId, text(messageIds)),
    inUse: (tenantId, field, ids) =>
      Effect.map(inUse[field](tenantId, text([...new Set(ids)])), (rows) => new Set(rows.map(({ id }) => id))),
    dropThreads: (tenantId, threadIds) =>
      threadIds.length === 0
        ? Effect.void
        : whole(Effect.forEach(drops, (drop) => drop(tenantId, text(threadIds)), { discard: true })),
    leaveThreads: (tenantId, threadIds, emails, internetMessageIds) =>
      threadIds.length === 0
        ? Effect.void
        : whole(
            Effect.andThen(
              leaveParticipants(tenantId, text(threadIds), text(emails)),
              leaveIds(tenantId, text(threadIds), text(internetMessageIds))
            )
          ),
    releaseLeads: (tenantId, contactId, leadIds) => {
      const ids = text(leadIds)
      return whole(
        Effect.gen(function* () {
          for (const release of [releaseHeads, releaseThreads]) yield* release(tenantId, tenantId, ids, ids)
          yield* releaseMessages(tenantId, contactId, ids)
          yield* releaseMerged(tenantId, ids)
        })
      )
    }
  }
}

/** Everything kept about the people who write to a tenant, row by row, in SQL. */
export const layer: Layer.Layer<Holdings, never, SqlClient> = Layer.effect(
  Holdings,
  Effect.map(SqlClient, (sql) => {
    const database = queries(sql)
    return Holdings.of({ ...rowsOf(database), ...erasing(database) })
  })
)
