import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Adds the reason for the thread of a mail, and corrections of threads by people. The reasons of older mails stay
 * unknown. The index of the messages of a thread gets their order, so that a thread can be read in pages. FROZEN.
 */
export const threadCorrections: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { ending, integer, json, text, withoutRowid } = sql.onDialectOrElse({
    pg: () => ({ text: 'text COLLATE "C"', integer: "bigint", json: "json", ending: "", withoutRowid: "" }),
    orElse: () => ({
      text: "TEXT",
      integer: "INTEGER",
      json: "TEXT",
      ending: "STRICT",
      withoutRowid: "STRICT, WITHOUT ROWID"
    })
  })
  yield* sql.unsafe(`ALTER TABLE threads ADD COLUMN corrected ${integer} NOT NULL DEFAULT 0`)
  yield* sql.unsafe(`ALTER TABLE messages ADD COLUMN thread_rule ${text}`)
  yield* sql.unsafe(`ALTER TABLE messages ADD COLUMN thread_via ${text}`)
  yield* sql.unsafe("DROP INDEX messages_thread")
  yield* sql.unsafe(`CREATE INDEX messages_thread ON messages (tenant_id, thread_id, "timestamp", message_id)
    WHERE thread_id IS NOT NULL`)
  yield* sql.unsafe(`CREATE TABLE thread_corrections (
    tenant_id ${text} NOT NULL, correction_id ${text} NOT NULL, kind ${text} NOT NULL, thread_id ${text} NOT NULL,
    from_thread_ids ${json} NOT NULL, message_id ${text}, actor ${text} NOT NULL, created_at ${integer} NOT NULL,
    undone_at ${integer}, undone_by ${text}, PRIMARY KEY (tenant_id, correction_id)) ${ending}`)
  yield* sql.unsafe(`CREATE TABLE thread_correction_items (
    tenant_id ${text} NOT NULL, correction_id ${text} NOT NULL, kind ${text} NOT NULL, item_id ${text} NOT NULL,
    thread_id ${text} NOT NULL, lead_id ${text}, seen ${integer}, weak ${integer},
    PRIMARY KEY (tenant_id, correction_id, kind, item_id, thread_id)) ${withoutRowid}`)
  yield* sql.unsafe(
    "CREATE INDEX thread_correction_items_item ON thread_correction_items (tenant_id, item_id, correction_id)"
  )
})
