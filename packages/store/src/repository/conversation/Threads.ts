import { type KnownId, ThreadRecord } from "@leadloom/core/domain/email/thread/Thread"
import { Threads } from "@leadloom/core/port/repository/conversation/Threads"
import type { ThreadId } from "@leadloom/core/domain/Id"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import type { Queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const threads = table(ThreadRecord, { name: "threads", key: ["tenantId", "threadId"] })

interface KnownRow extends Omit<KnownId, "seen" | "weak"> {
  readonly seen: number
  readonly weak: number
}

/**
 * Keeps one row per Message-ID and thread. The row counts as seen if any entry was seen, and as weak only if every
 * entry was weak.
 */
const strongest = `ON CONFLICT (tenant_id, message_id, thread_id) DO UPDATE SET
  seen = thread_ids.seen | excluded.seen, weak = thread_ids.weak & excluded.weak`

/** Combines new rows by the same rule, because `ON CONFLICT` cannot update the same row twice in one statement. */
const strongestOf = (ids: ReadonlyArray<KnownId>): ReadonlyArray<KnownId> => {
  const byPlace = new Map<string, KnownId>()
  for (const known of ids) {
    const place = JSON.stringify([known.threadId, known.id])
    const before = byPlace.get(place) ?? known
    byPlace.set(place, { ...known, seen: before.seen || known.seen, weak: before.weak && known.weak })
  }
  return [...byPlace.values()]
}

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
    const { command, isOneOf, items, query, tuples } = database
    const { one } = threads.reading({ query })
    const insert = command(threads.insert)
    const find = one(`SELECT ${threads.columns} FROM threads WHERE tenant_id = ? AND thread_id = ?`)
    const setLead = command("UPDATE threads SET lead_id = ? WHERE tenant_id = ? AND thread_id = ?")
    const known = query<KnownRow>(
      `SELECT t.message_id AS id, t.thread_id AS "threadId", t.seen, t.weak
        FROM thread_ids t WHERE t.tenant_id = ? AND ${isOneOf("t.message_id")}`
    )
    const register = command(
      `INSERT INTO thread_ids (tenant_id, message_id, thread_id, seen, weak)
        SELECT ?, item.value ->> 0, item.value ->> 1, CAST(item.value ->> 2 AS bigint), CAST(item.value ->> 3 AS bigint)
        FROM ${tuples} WHERE true ${strongest}`
    )
    const participants = query<{ readonly email: string }>(
      `SELECT p.email FROM thread_participants p WHERE p.tenant_id = ? AND p.thread_id = ? AND ${isOneOf("p.email")}`
    )
    const addParticipants = command(
      `INSERT INTO thread_participants (tenant_id, thread_id, email) SELECT ?, ?, item.value FROM ${items} WHERE true
        ON CONFLICT (tenant_id, thread_id, email) DO NOTHING`
    )
    const merge = merging(database)
    return Threads.of({
      insert: (thread) => insert(...threads.values(thread)),
      find,
      setLead: (tenantId, threadId, leadId) => setLead(leadId, tenantId, threadId),
      known: (tenantId, ids) =>
        ids.length === 0
          ? Effect.succeed([])
          : Effect.map(known(tenantId, JSON.stringify([...new Set(ids)])), (rows) =>
              rows.map(({ id, threadId, seen, weak }) => ({ id, threadId, seen: seen === 1, weak: weak === 1 }))
            ),
      register: (tenantId, ids) => {
        if (ids.length === 0) return Effect.void
        const rows = strongestOf(ids).map(({ id, threadId, seen, weak }) => [id, threadId, seen ? 1 : 0, weak ? 1 : 0])
        return register(tenantId, JSON.stringify(rows))
      },
      merge,
      participants: (tenantId, threadId, emails) =>
        emails.length === 0
          ? Effect.succeed(new Set())
          : Effect.map(
              participants(tenantId, threadId, JSON.stringify(emails)),
              (rows) => new Set(rows.map(({ email }) => email))
            ),
      addParticipants: (tenantId, threadId, emails) =>
        emails.length === 0 ? Effect.void : addParticipants(tenantId, threadId, JSON.stringify(emails))
    })
  })
)
