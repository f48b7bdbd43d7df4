import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column type of each SQL dialect. */
const sqlite = { text: "TEXT" }
const postgres = { text: 'text COLLATE "C"' }

const statements = ({ text }: typeof sqlite): ReadonlyArray<string> => [
  // The contact that the message is about, as labelled by a person. Null without a label.
  `ALTER TABLE messages ADD COLUMN subject_contact_id ${text}`,
  `ALTER TABLE drafts ADD COLUMN message_id ${text} NOT NULL DEFAULT ''`,
  `ALTER TABLE drafts ADD COLUMN task_id ${text}`,
  // The id of a signal is the id of its message with the prefix `sig_`.
  `UPDATE drafts SET message_id = 'msg_' || substr(signal_id, 5), task_id = (SELECT min(t.task_id) FROM tasks t
    WHERE t.tenant_id = drafts.tenant_id AND t.contact_id = drafts.contact_id AND t.signal_id = drafts.signal_id
      AND t.type = 'reply_approval')`,
  // Finds the newest draft of a contact, in any state.
  `CREATE INDEX drafts_contact ON drafts (tenant_id, contact_id, created_at, draft_id)`
]

/** Adds the message that a draft answers, its approval task, and the contact that a message is about. FROZEN. */
export const drafts: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
