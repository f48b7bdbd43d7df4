import { assert, describe, it } from "@effect/vitest"
import { allConversations, type ConversationSort } from "@leadloom/core/internal/domain/conversation/ConversationQuery"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Database } from "../src/Database.ts"
import {
  mergedText,
  streamParams,
  streamsAfter,
  streamsOf
} from "../src/repository/conversation/ConversationStreams.ts"
import { spell } from "../src/sql/PostgresText.ts"
import { ownPostgres } from "./TemporaryPostgres.ts"

const now = 1_000_000
const limit = 51

/** Every tenth conversation is snoozed until a later time, and the others are open. */
const conversations = `INSERT INTO conversations (tenant_id, contact_id, last_timestamp, last_message_id, last_message,
    last_channel, unread, state, tags, priority, snooze_until, answered_at)
  SELECT 'acme', 'con_' || g, g, 'msg_' || g, 'Hello', 'email', 0, CASE g % 10 WHEN 0 THEN 'snoozed' ELSE 'open' END,
    '[]', 'normal', CASE g % 10 WHEN 0 THEN ${now} + g END, 0 FROM generate_series(1, 20000) g`

const literal = (value: unknown): string => (typeof value === "number" ? String(value) : `'${String(value)}'`)

/** Returns the plan of the first page of open conversations, with the numbers of rows that were read. */
const planOf = Effect.fnUntraced(function* (sort: ConversationSort) {
  const sql = yield* SqlClient
  const { by } = yield* Database
  const query = { ...allConversations, state: "open" as const, sort }
  const streams = streamsAfter(streamsOf(by, query, { userId: null, now }), query, null)
  const joins =
    "LEFT JOIN conversation_reads u ON u.tenant_id = c.tenant_id AND u.contact_id = c.contact_id AND u.user_id = ?"
  const text = mergedText(
    by,
    { columns: "c.contact_id", joins },
    streams.map(([stream]) => stream),
    sort
  )
  const name = `page_${sort.replaceAll(/\W/gu, "")}`
  yield* sql.unsafe(`PREPARE ${name} AS ${spell(text).text}`)
  yield* sql.unsafe("SET LOCAL plan_cache_mode = force_generic_plan")
  const values = streamParams("acme", null, streams, limit).map(literal).join(", ")
  const plan = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(`EXPLAIN (ANALYZE) EXECUTE ${name} (${values})`)
  return plan.map((row) => row["QUERY PLAN"]).join("\n")
})

describe("a page of open conversations", () => {
  it.live("reads no more rows than the page has, on Postgres", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql.unsafe(conversations)
      yield* sql.unsafe("ANALYZE conversations")
      for (const sort of ["-last_timestamp", "-priority"] as const) {
        const plan = yield* sql.withTransaction(planOf(sort))
        const removed = Array.from(plan.matchAll(/Rows Removed by Filter: (\d+)/gu), ([, rows]) => Number(rows))
        assert.isTrue(
          removed.every((rows) => rows <= limit),
          plan
        )
        const read = Array.from(plan.matchAll(/actual .*rows=(\d+)/gu), ([, rows]) => Number(rows))
        assert.isAbove(read.length, 0)
        assert.isTrue(
          read.every((rows) => rows <= 4 * limit),
          plan
        )
      }
    }).pipe(Effect.provide(ownPostgres))
  )
})
