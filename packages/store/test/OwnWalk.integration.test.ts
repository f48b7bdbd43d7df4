import { assert, describe, it } from "@effect/vitest"
import { dataInventory } from "@leadloom/core/internal/domain/privacy/DataInventory"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { pageStatements } from "../src/privacy/PersonalDataSql.ts"
import { spell } from "../src/sql/PostgresText.ts"
import { Database } from "../src/Database.ts"
import { ownPostgres } from "./TemporaryPostgres.ts"
import { temporaryStore } from "./TemporaryStore.ts"

/** Tables with many rows per contact and an index in walk order. */
const walked = dataInventory.filter(({ walk }) => walk !== null)

/** Inserts a row for every other contact and time, so that one contact has half of the tenant's rows. Postgres only. */
const rows: Readonly<Record<string, string>> = {
  messages: `INSERT INTO messages (tenant_id, message_id, contact_id, channel, actor, source, "timestamp", received_at,
      to_addresses, cc_addresses, reply_to, reference_ids, flags, attachments, metadata, body)
    SELECT 'acme', 'msg_' || g, 'con_' || g % 2, 'email', 'contact', 'smtp', g, g, '[]', '[]', '[]', '[]', '[]', '[]', '{}',
      repeat('Hello ', 100)`,
  tasks: `INSERT INTO tasks (tenant_id, task_id, type, status, title, contact_id, created_at, updated_at)
    SELECT 'acme', 'task_' || g, 'callback', 'open', 'Call', 'con_' || g % 2, g, g`,
  drafts: `INSERT INTO drafts (tenant_id, draft_id, contact_id, signal_id, message_id, channel, state, head_message_id,
      created_at, body)
    SELECT 'acme', 'drf_' || g, 'con_' || g % 2, 'sig_' || g, 'msg_' || g, 'email', 'sent', 'msg_' || g, g, 'Hello'`,
  agent_drafts: `INSERT INTO agent_drafts (tenant_id, draft_id, contact_id, composition, version, created_by, updated_by,
      created_at, updated_at)
    SELECT 'acme', 'drf_' || g, 'con_' || g % 2, '{}', 1, 'user:kim', 'user:kim', g, g`,
  notes: `INSERT INTO notes (tenant_id, note_id, contact_id, author, body, mentions, team_mentions, created_at, updated_at)
    SELECT 'acme', 'note_' || g, 'con_' || g % 2, 'Kim', 'Hello', '[]', '[]', g, g`,
  activities: `INSERT INTO activities (tenant_id, activity_id, contact_id, type, actor, happened_at, data)
    SELECT 'acme', 'act_' || g, 'con_' || g % 2, 'notes_changed', 'agent', g, '{}'`,
  calls: `INSERT INTO calls (tenant_id, call_id, contact_id, provider, direction, status, started_at, recording, updated_at)
    SELECT 'acme', 'call_' || g, 'con_' || g % 2, 'twilio', 'inbound', 'completed', g, 'none', g`
}

/** The index with the order of a walk. */
const indexes: Readonly<Record<string, string>> = {
  messages: "messages_contact",
  tasks: "tasks_contact",
  drafts: "drafts_(?:of_)?contact",
  agent_drafts: "agent_drafts_contact",
  notes: "notes_contact",
  activities: "activities_pkey",
  calls: "calls_contact"
}

const plansOf = Effect.fnUntraced(function* (name: string, text: string, values: string) {
  const sql = yield* SqlClient
  yield* sql.unsafe(`PREPARE ${name} AS ${spell(text).text}`)
  const plans: Array<string> = []
  for (const mode of ["force_custom_plan", "force_generic_plan"]) {
    yield* sql.unsafe(`SET LOCAL plan_cache_mode = ${mode}`)
    const plan = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(`EXPLAIN EXECUTE ${name} (${values})`)
    plans.push(plan.map((row) => row["QUERY PLAN"]).join("\n"))
  }
  return plans
})

describe("the walk through one contact's rows", () => {
  it("exists for messages, tasks, drafts, notes, calls and the timeline", () => {
    assert.deepStrictEqual(walked.map(({ name }) => name).toSorted(), Object.keys(rows).toSorted())
  })

  it.live("continues at its position by index without sorting, on SQLite", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { by } = yield* Database
      for (const kind of walked) {
        const text = pageStatements(by, kind).own.next
        const params = Array.from(text.matchAll(/\?/gu), () => "")
        const plan = yield* sql.unsafe<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params)
        const [place = "", id = ""] = kind.walk ?? []
        assert.lengthOf(plan, 1, kind.name)
        const bounds = `(tenant_id=? AND contact_id=? AND (${place},${id})>(?,?))`
        assert.include(plan[0]?.detail.replaceAll('"', ""), bounds, kind.name)
      }
    }).pipe(Effect.provide(temporaryStore))
  )

  it.live("continues at its position by index without sorting, on Postgres, with and without statistics", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { by } = yield* Database
      for (const kind of walked) {
        const { name } = kind
        yield* sql.unsafe(`${rows[name] ?? ""} FROM generate_series(1, 20000) g`)
        for (const round of ["fresh", "analysed"]) {
          if (round === "analysed") yield* sql.unsafe(`ANALYZE ${name}`)
          const text = pageStatements(by, kind).own.next
          const plans = yield* sql.withTransaction(
            plansOf(`${name}_${round}`, text, "'acme', 'con_1', 9000, 'zzz', 200")
          )
          for (const plan of plans) {
            assert.notMatch(plan, /Sort|Seq Scan|Bitmap/u, `${name}, ${round}`)
            assert.match(plan, new RegExp(`Index Scan using ${indexes[name] ?? ""} `, "u"), `${name}, ${round}`)
            assert.match(plan, /Index Cond: .*contact_id = .* AND \(ROW\(/u, `${name}, ${round}`)
          }
        }
      }
    }).pipe(Effect.provide(ownPostgres))
  )
})
