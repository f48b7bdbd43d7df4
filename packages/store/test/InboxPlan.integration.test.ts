import { assert, describe, it } from "@effect/vitest"
import { allConversations, type ConversationQuery } from "@leadloom/core/internal/domain/conversation/ConversationQuery"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Database } from "../src/Database.ts"
import { listColumns, listJoins } from "../src/repository/conversation/ConversationRows.ts"
import {
  listParams,
  listText,
  remainingConditions,
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

/** Returns the plan of the first page of a list, with the numbers of rows that were read. */
const planOf = Effect.fnUntraced(function* (name: string, filter: Partial<ConversationQuery>) {
  const sql = yield* SqlClient
  const { by } = yield* Database
  const query: ConversationQuery = { ...allConversations, sort: "-last_timestamp", ...filter }
  const streams = streamsAfter(streamsOf(by, query, { userId: null, now }), query, null)
  const conditions = remainingConditions(query)
  const text = listText(by, {
    columns: listColumns,
    joins: listJoins,
    streams: streams.map(([stream]) => stream),
    conditions,
    sort: query.sort
  })
  yield* sql.unsafe(`PREPARE ${name} AS ${spell(text).text}`)
  yield* sql.unsafe("SET LOCAL plan_cache_mode = force_generic_plan")
  const values = listParams("acme", null, limit, { streams, conditions }).map(literal).join(", ")
  const plan = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(`EXPLAIN (ANALYZE) EXECUTE ${name} (${values})`)
  return plan.map((row) => row["QUERY PLAN"]).join("\n")
})

/** Asserts that no step of a plan reads or discards many more rows than the page examines. */
const assertBounded = (plan: string): void => {
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

const onPostgres = <E>(test: Effect.Effect<void, E, Database | SqlClient>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql.unsafe(conversations)
    yield* sql.unsafe("ANALYZE conversations")
    yield* sql.withTransaction(test)
  }).pipe(Effect.provide(ownPostgres))

describe("a page of open conversations", () => {
  it.live("reads no more rows than the page has, on Postgres", () =>
    onPostgres(
      Effect.gen(function* () {
        assertBounded(yield* planOf("newest", { state: "open" }))
        assertBounded(yield* planOf("urgent", { state: "open", sort: "-priority" }))
      })
    )
  )
  it.live("reads contacts of matches only, on Postgres", () =>
    onPostgres(
      Effect.gen(function* () {
        const plan = yield* planOf("filtered", { state: "open", priority: "normal", snoozeUntil: 1 })
        assertBounded(plan)
        // The last examined conversation is always returned.
        assert.match(plan, /on contacts p .*loops=1\)/u)
      })
    )
  )
})
