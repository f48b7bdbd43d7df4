import { assert } from "@effect/vitest"
import { ContactSummaries } from "@leadloom/core/internal/port/repository/contact/ContactSummaries"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { ProviderEvents } from "@leadloom/core/internal/port/repository/webhook/ProviderEvents"
import { idOf } from "@leadloom/testkit/suite/Records"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { upgradeTest } from "./EarlierDatabase.ts"

/** The last migration before tables were renamed. */
const lastBefore = 34

const addTag = { action: "add_tag", tag: 'it\'s "hot"' } as const

const ruleAction = {
  kind: "crm_action",
  ruleId: "rule_1",
  signalId: idOf("sig", 1),
  contactId: idOf("con", 1),
  leadId: null,
  locationId: null,
  begun: true
} as const

const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'`

const rows: ReadonlyArray<string> = [
  `INSERT INTO errands (tenant_id, errand_id, attempts, due_at, created_at, reason, errand)
    VALUES ('acme', 'settle:call_1', 2, 5, 1, 'no answer', '{"kind":"settle_call","callId":"call_1"}'),
      ('acme', 'crm_action:sig_1:0', 0, 50, 1, NULL, ${quoted({ ...ruleAction, deed: addTag })})`,
  `INSERT INTO notices (tenant_id, provider, notice_id, received_at) VALUES ('acme', 'stripe', 'evt_1', 1)`,
  ...["con_1", "con_2"].map(
    (id, index) => `INSERT INTO contact_digests
      (tenant_id, contact_id, last_activity_at, archived, channel, state, tier, has_email, has_phone)
      VALUES ('acme', '${id}', ${index}, 0, 'email', 'open', 'hot', 1, 0)`
  )
]

const formerWords = ["errand", "notice", "digest"]

/** Returns the names of tables, indexes and columns with a former word. */
const formerNames = Effect.gen(function* () {
  const sql = yield* SqlClient
  const text = sql.onDialectOrElse({
    pg: () => `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace
      UNION ALL SELECT a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`,
    orElse: () => `SELECT name FROM sqlite_schema
      UNION ALL SELECT c.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c`
  })
  const found = yield* sql.unsafe<{ readonly name: string }>(text)
  assert.isAbove(found.length, 100)
  return found.map(({ name }) => name).filter((name) => formerWords.some((word) => name.includes(word)))
})

const works = Effect.gen(function* () {
  assert.deepStrictEqual(yield* formerNames, [])
  const jobs = yield* Jobs
  assert.strictEqual(yield* jobs.backlog, 2)
  const [job] = yield* jobs.claim(9, 5, 100)
  assert.deepStrictEqual(job, {
    tenantId: "acme",
    jobId: "settle:call_1",
    attempts: 3,
    dueAt: 100,
    createdAt: 1,
    reason: "no answer",
    job: { kind: "settle_call", callId: "call_1" }
  })
  assert.isTrue(yield* jobs.finish({ tenantId: "acme", jobId: "settle:call_1", attempts: 3 }))
  const [action] = yield* jobs.claim(9, 50, 100)
  assert.deepStrictEqual(action?.job, { ...ruleAction, operation: addTag })
  const { receive } = yield* ProviderEvents
  assert.isFalse(yield* receive("acme", "stripe", "evt_1", 9))
  assert.isTrue(yield* receive("acme", "stripe", "evt_2", 9))
  const { walk } = yield* ContactSummaries
  const all = { tenantId: "acme", archived: false, activeAfter: -1, after: null, limit: 9 }
  for (const filter of [
    { by: "nothing" },
    { by: "tier", value: "hot" },
    { by: "state", value: "open" },
    { by: "channel", value: "email" }
  ] as const) {
    const listed = yield* walk({ ...all, filter })
    assert.deepStrictEqual(
      listed.map(({ contactId }) => String(contactId)),
      ["con_2", "con_1"],
      filter.by
    )
  }
})

upgradeTest("the version before the renaming", "keeps its rows under the new names", { last: lastBefore, rows }, works)
