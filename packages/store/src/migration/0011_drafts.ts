import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** How each dialect spells what the tables are made of. */
const sqlite = { text: "TEXT" }
const postgres = { text: 'text COLLATE "C"' }

const statements = ({ text }: typeof sqlite): ReadonlyArray<string> => [
  // The contact that a message is about, where that is another than who wrote it or was written to.
  `ALTER TABLE messages ADD COLUMN subject_contact_id ${text}`,
  `ALTER TABLE drafts ADD COLUMN message_id ${text} NOT NULL DEFAULT ''`,
  `ALTER TABLE drafts ADD COLUMN task_id ${text}`,
  // A signal is its message under another prefix.
  `UPDATE drafts SET message_id = 'msg_' || substr(signal_id, 5), task_id = (SELECT min(t.task_id) FROM tasks t
    WHERE t.tenant_id = drafts.tenant_id AND t.contact_id = drafts.contact_id AND t.signal_id = drafts.signal_id
      AND t.type = 'reply_approval')`,
  // The newest draft of a contact, whatever became of it.
  `CREATE INDEX drafts_contact ON drafts (tenant_id, contact_id, created_at, draft_id)`
]

/** What a draft answers and who was asked to release it, and whom a message is about. FROZEN. */
export const drafts: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
