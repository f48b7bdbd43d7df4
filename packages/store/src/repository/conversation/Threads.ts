import { type KnownId, ThreadRecord } from "@leadloom/core/internal/domain/email/thread/Thread"
import { Threads } from "@leadloom/core/internal/port/repository/conversation/Threads"
import type { ThreadId } from "@leadloom/core/internal/domain/Id"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import type { Queries } from "../../sql/Queries.ts"
import type { Row } from "../../unit/RowsForm.ts"
import { table } from "../../sql/Table.ts"

/** The table of threads. */
export const threads = table(ThreadRecord, { name: "threads", key: ["tenantId", "threadId"] })

interface KnownRow extends Omit<KnownId, "seen" | "weak"> {
  readonly seen: number
  readonly weak: number
}

/**
 * Keeps one row per Message-ID and thread. The row counts as seen if any entry was seen, and as weak only if every
 * entry was weak.
 */
export const strongest = `ON CONFLICT (tenant_id, message_id, thread_id) DO UPDATE SET
  seen = thread_ids.seen | excluded.seen, weak = thread_ids.weak & excluded.weak`

/** Combines new rows by the same rule, because `ON CONFLICT` cannot update the same row twice in one statement. */
const strongestOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const byPlace = new Map<string, Row>()
  for (const row of rows) {
    const [tenantId = null, id = null, threadId = null, seen, weak] = row
    const place = JSON.stringify([tenantId, id, threadId])
    const [, , , seenBefore, weakBefore] = byPlace.get(place) ?? row
    const strong = [Number(seenBefore) | Number(seen), Number(weakBefore) & Number(weak)]
    byPlace.set(place, [tenantId, id, threadId, ...strong])
  }
  return [...byPlace.values()]
}

/** The writes of threads that one message makes. The values of a row are in the order of the columns. */
const writes = ({ items, rows, tuples }: Queries) => ({
  setLead: rows({
    text: "UPDATE threads SET lead_id = ? WHERE tenant_id = ? AND thread_id = ?",
    types: ["text", "text", "text"],
    batch: (source) =>
      `UPDATE threads SET lead_id = item.lead_id FROM ${source} AS item(lead_id, tenant_id, thread_id)
        WHERE threads.tenant_id = item.tenant_id AND threads.thread_id = item.thread_id`
  }),
  register: rows({
    text: `INSERT INTO thread_ids (tenant_id, message_id, thread_id, seen, weak)
      SELECT ?, item.value ->> 0, item.value ->> 1, CAST(item.value ->> 2 AS bigint), CAST(item.value ->> 3 AS bigint)
      FROM ${tuples} WHERE true ${strongest}`,
    params: (all) => {
      const [[tenantId = null] = []] = all
      return [tenantId, JSON.stringify(strongestOf(all).map(([, ...known]) => known))]
    },
    types: ["text", "text", "text", "bigint", "bigint"],
    batch: (source) =>
      `INSERT INTO thread_ids (tenant_id, message_id, thread_id, seen, weak) SELECT * FROM ${source} ${strongest}`,
    combine: (all) => [strongestOf(all)]
  }),
  addParticipants: rows({
    text: `INSERT INTO thread_participants (tenant_id, thread_id, email) SELECT ?, ?, item.value FROM ${items} WHERE true
      ON CONFLICT (tenant_id, thread_id, email) DO NOTHING`,
    params: (all) => {
      const [[tenantId = null, threadId = null] = []] = all
      return [tenantId, threadId, JSON.stringify(all.map(([, , email]) => email))]
    },
    types: ["text", "text", "text"],
    batch: (source) =>
      `INSERT INTO thread_participants (tenant_id, thread_id, email) SELECT * FROM ${source}
        ON CONFLICT (tenant_id, thread_id, email) DO NOTHING`
  })
})

/**
 * Moves the rows of a thread to another thread and deletes the first one. It processes one thread at a time, so that
 * each step uses an index.
 */
const merging = ({ command, whole, by }: Queries) => {
  const gone = "tenant_id = ? AND thread_id = ?"
  const ids = `thread_ids ${by("thread_ids_thread")}`
  const moveIds = command(
    `INSERT INTO thread_ids (tenant_id, message_id, thread_id, seen, weak)
      SELECT tenant_id, message_id, ?, seen, weak FROM ${ids} WHERE ${gone} ${strongest}`
  )
  const moveParticipants = command(
    `INSERT INTO thread_participants (tenant_id, thread_id, email)
      SELECT tenant_id, ?, email FROM thread_participants WHERE ${gone}
      ON CONFLICT (tenant_id, thread_id, email) DO NOTHING`
  )
  const moveMessages = command(`UPDATE messages SET thread_id = ? WHERE ${gone}`)
  const forgetting = [ids, "thread_participants", "threads"].map((name) => command(`DELETE FROM ${name} WHERE ${gone}`))
  const mergeOne = Effect.fnUntraced(function* (tenantId: string, into: ThreadId, from: ThreadId) {
    for (const move of [moveIds, moveParticipants, moveMessages]) yield* move(into, tenantId, from)
    for (const forget of forgetting) yield* forget(tenantId, from)
  })
  return (tenantId: string, into: ThreadId, from: ReadonlyArray<ThreadId>) => {
    const others = from.filter((threadId) => threadId !== into)
    return whole(Effect.forEach(others, (threadId) => mergeOne(tenantId, into, threadId), { discard: true }))
  }
}

/** Stores email threads and the index of Message-IDs in SQL. */
export const layer: Layer.Layer<Threads, never, Database> = Layer.effect(
  Threads,
  Effect.map(Database, (database) => {
    const { command, isOneOf, query, rows } = database
    const { one } = threads.reading({ query })
    const insert = rows(threads.inserting)
    const { addParticipants, register, setLead } = writes(database)
    const find = one(`SELECT ${threads.columns} FROM threads WHERE tenant_id = ? AND thread_id = ?`)
    const known = query<KnownRow>(
      `SELECT t.message_id AS id, t.thread_id AS "threadId", t.seen, t.weak
        FROM thread_ids t WHERE t.tenant_id = ? AND ${isOneOf("t.message_id")}`
    )
    const participants = query<{ readonly email: string }>(
      `SELECT p.email FROM thread_participants p WHERE p.tenant_id = ? AND p.thread_id = ? AND ${isOneOf("p.email")}`
    )
    const merge = merging(database)
    const markCorrected = command(`UPDATE threads SET corrected = 1 WHERE tenant_id = ? AND ${isOneOf("thread_id")}`)
    const listParticipants = query<{ readonly email: string }>(
      "SELECT email FROM thread_participants WHERE tenant_id = ? AND thread_id = ? ORDER BY email LIMIT ?"
    )
    return Threads.of({
      insert: (thread) => insert([threads.values(thread)]),
      find,
      setLead: (tenantId, threadId, leadId) => setLead([[leadId, tenantId, threadId]]),
      known: (tenantId, ids) =>
        ids.length === 0
          ? Effect.succeed([])
          : Effect.map(known(tenantId, JSON.stringify([...new Set(ids)])), (rows) =>
              rows.map(({ id, threadId, seen, weak }) => ({ id, threadId, seen: seen === 1, weak: weak === 1 }))
            ),
      register: (tenantId, ids) => {
        if (ids.length === 0) return Effect.void
        return register(ids.map(({ id, threadId, seen, weak }) => [tenantId, id, threadId, seen ? 1 : 0, weak ? 1 : 0]))
      },
      merge,
      markCorrected: (tenantId, threadIds) => markCorrected(tenantId, JSON.stringify(threadIds)),
      listParticipants: (tenantId, threadId, limit) =>
        Effect.map(listParticipants(tenantId, threadId, limit), (rows) => rows.map(({ email }) => email)),
      participants: (tenantId, threadId, emails) =>
        emails.length === 0
          ? Effect.succeed(new Set())
          : Effect.map(
              participants(tenantId, threadId, JSON.stringify(emails)),
              (rows) => new Set(rows.map(({ email }) => email))
            ),
      addParticipants: (tenantId, threadId, emails) =>
        emails.length === 0 ? Effect.void : addParticipants(emails.map((email) => [tenantId, threadId, email]))
    })
  })
)
