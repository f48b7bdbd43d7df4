import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const isArrived = (row: string): string => `(coalesce(${row}.delivery, 'sent') IN ('sent', 'delivered', 'unknown'))`

/**
 * Records that the messages of a contact are to be counted again. The worker reads messages that it has not counted yet
 * with their current delivery, and they do not affect counted ones, so the usual send within a minute causes no recount.
 */
const recountMessages = `INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
  SELECT p.tenant_id, new.contact_id, p.stream, '' FROM report_positions p
    WHERE p.tenant_id = new.tenant_id AND p.stream = 'messages' AND p.position >= new.message_id
  ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''`

/** Records that the conversation of a contact is to be counted again. */
const recountConversation = (row: string): string => `INSERT INTO report_recounts
    (tenant_id, subject_id, stream, position)
  SELECT ${row}.tenant_id, ${row}.contact_id, streams.name, ''
    FROM (SELECT 'messages' AS name UNION ALL SELECT 'closings' UNION ALL SELECT 'runs') AS streams WHERE true
  ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = '' WHERE report_recounts.position <> ''`

/** The triggers: their names, events, conditions and statements. */
const triggers = [
  {
    name: "report_message_changed",
    event: `UPDATE OF contact_id, auto ON messages FOR EACH ROW
      WHEN (old.contact_id IS DISTINCT FROM new.contact_id OR old.auto IS DISTINCT FROM new.auto)`,
    statements: [recountConversation("old"), recountConversation("new")]
  },
  {
    name: "report_message_delivered",
    event: `UPDATE OF delivery ON messages FOR EACH ROW WHEN (${isArrived("old")} <> ${isArrived("new")})`,
    statements: [recountMessages]
  }
]

/** Counts the messages of all tenants again, because their queued messages are counted. */
const recountAll = `INSERT INTO report_recounts (tenant_id, subject_id, stream, position)
  SELECT tenant_id, '', 'messages', '' FROM tenants WHERE true
  ON CONFLICT (tenant_id, subject_id, stream) DO UPDATE SET position = ''`

const onSqlite = [
  "DROP TRIGGER report_message_changed",
  ...triggers.map(
    ({ event, name, statements }) => `CREATE TRIGGER ${name} AFTER ${event} BEGIN ${statements.join("; ")}; END`
  )
]

const onPostgres = [
  "DROP TRIGGER report_message_changed ON messages",
  ...triggers.flatMap(({ event, name, statements }) => [
    `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${statements.join("; ")}; RETURN NULL; END $$`,
    `CREATE TRIGGER ${name} AFTER ${event} EXECUTE FUNCTION ${name}()`
  ])
]

/** Reports count an answer once it is sent. See docs/decisions/0117-answers-count-once-sent.md. FROZEN. */
export const reportsOfSentAnswers: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({ pg: () => onPostgres, orElse: () => onSqlite })
  yield* Effect.forEach([...statements, recountAll], (statement) => sql.unsafe(statement), { discard: true })
})
