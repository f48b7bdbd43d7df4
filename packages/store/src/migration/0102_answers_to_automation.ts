import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The messages that are answers: a contact wrote them, and no program. */
const isAnswer = "actor = 'contact' AND auto IS NULL"

/** The tables whose rows record an answer, and the condition of the rows that wait for one. */
const waiting = [
  ["enrolments", "answered_at IS NULL"],
  ["trigger_runs", "state = 'waiting' AND trigger = 'no_answer' AND answered_at IS NULL"]
] as const

const columns = (int: string): ReadonlyArray<string> =>
  waiting.map(([table]) => `ALTER TABLE ${table} ADD COLUMN answered_at ${int}`)

/** A contact can have very many runs, and few of them wait. */
const index = "CREATE INDEX trigger_runs_waiting ON trigger_runs (tenant_id, contact_id) WHERE state = 'waiting'"

const onSqlite: ReadonlyArray<string> = [
  ...columns("INTEGER"),
  index,
  `CREATE TRIGGER message_answers AFTER INSERT ON messages WHEN new.actor = 'contact' AND new.auto IS NULL BEGIN ${waiting
    .map(
      ([table, condition]) =>
        `UPDATE ${table} SET answered_at = new.received_at
          WHERE tenant_id = new.tenant_id AND contact_id = new.contact_id AND ${condition};`
    )
    .join(" ")} END`
]

const onPostgres: ReadonlyArray<string> = [
  ...columns("bigint"),
  index,
  `CREATE FUNCTION message_answers() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT 1 FROM added WHERE ${isAnswer}) THEN
      ${waiting
        .map(
          ([table, condition]) =>
            `UPDATE ${table} SET answered_at = answers.received_at
              FROM (SELECT tenant_id, contact_id, min(received_at) AS received_at FROM added
                WHERE ${isAnswer} GROUP BY tenant_id, contact_id) AS answers
              WHERE ${table}.tenant_id = answers.tenant_id AND ${table}.contact_id = answers.contact_id
                AND ${condition};`
        )
        .join("\n")}
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER message_answers AFTER INSERT ON messages REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION message_answers()`
]

/**
 * Records the first message of a contact after each of its enrolments and while a rule waits for its answer. Units of
 * work of one tenant are serial, so the rows that exist when a message is stored are older than the message, whatever the
 * clocks of the servers show. See docs/decisions/0155-answers-and-clocks.md. FROZEN.
 */
export const answersToAutomation: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({ pg: () => onPostgres, orElse: () => onSqlite })
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
