import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const tables = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  ...[
    `state ${text} NOT NULL DEFAULT 'open'`,
    `assignee_id ${text}`,
    `team_id ${text}`,
    `tags ${json} NOT NULL DEFAULT '[]'`,
    `priority ${text} NOT NULL DEFAULT 'normal'`,
    `snooze_until ${int}`,
    `waiting_since ${int}`,
    `answered_at ${int} NOT NULL DEFAULT 0`
  ].map((column) => `ALTER TABLE conversations ADD COLUMN ${column}`),
  `CREATE TABLE conversation_tags (
    tenant_id ${text} NOT NULL, contact_id ${text} NOT NULL, tag ${text} NOT NULL, last_timestamp ${int} NOT NULL,
    PRIMARY KEY (tenant_id, contact_id, tag)) ${clustered}`,
  // The unread messages of a conversation that a user has seen. -1: the user marked the conversation as unread.
  `CREATE TABLE conversation_reads (
    tenant_id ${text} NOT NULL, contact_id ${text} NOT NULL, user_id ${text} NOT NULL, seen ${int} NOT NULL,
    PRIMARY KEY (tenant_id, contact_id, user_id)) ${clustered}`,
  "CREATE INDEX conversation_reads_user ON conversation_reads (tenant_id, user_id, seen, contact_id)",
  // Empty texts stand for no assignee and no team.
  `CREATE TABLE conversation_counts (
    tenant_id ${text} NOT NULL, state ${text} NOT NULL, assignee_id ${text} NOT NULL, team_id ${text} NOT NULL,
    unread ${int} NOT NULL, conversations ${int} NOT NULL,
    PRIMARY KEY (tenant_id, state, assignee_id, team_id, unread)) ${clustered}`
]

/** The name of each index of lists, its columns after the tenant, and its condition. */
const lists: ReadonlyArray<readonly [name: string, columns: string, condition: string]> = [
  ["unassigned", "state", "WHERE assignee_id IS NULL"],
  ["assigned", "state", "WHERE assignee_id IS NOT NULL"],
  ["assignee", "assignee_id, state", "WHERE assignee_id IS NOT NULL"],
  ["team", "team_id, state", "WHERE team_id IS NOT NULL"],
  ["priority", "priority, state", "WHERE priority <> 'normal'"]
]

const indexes: ReadonlyArray<string> = [
  ...lists.map(
    ([name, columns, condition]) => `CREATE INDEX conversations_${name}
      ON conversations (tenant_id, ${columns}, last_timestamp DESC, contact_id DESC) ${condition}`
  ),
  `CREATE INDEX conversations_unread
    ON conversations (tenant_id, last_timestamp DESC, contact_id DESC) WHERE unread > 0`,
  `CREATE INDEX conversations_waiting
    ON conversations (tenant_id, waiting_since, contact_id) WHERE waiting_since IS NOT NULL`,
  `CREATE INDEX conversations_snoozed
    ON conversations (tenant_id, snooze_until, contact_id) WHERE snooze_until IS NOT NULL`,
  `CREATE INDEX conversation_tags_newest
    ON conversation_tags (tenant_id, tag, last_timestamp DESC, contact_id DESC)`
]

const counted = (row: string): string =>
  `${row}.tenant_id, ${row}.state, coalesce(${row}.assignee_id, ''), coalesce(${row}.team_id, ''),
    CASE WHEN ${row}.unread > 0 THEN 1 ELSE 0 END`

const counts = "conversation_counts (tenant_id, state, assignee_id, team_id, unread, conversations)"

const adding = `ON CONFLICT (tenant_id, state, assignee_id, team_id, unread)
  DO UPDATE SET conversations = conversation_counts.conversations + excluded.conversations`

const count = (row: string, change: number): string =>
  `INSERT INTO ${counts} VALUES (${counted(row)}, ${change}) ${adding}`

const sqliteTriggers: ReadonlyArray<string> = [
  `CREATE TRIGGER conversation_counted AFTER INSERT ON conversations BEGIN ${count("new", 1)}; END`,
  `CREATE TRIGGER conversation_uncounted AFTER DELETE ON conversations BEGIN ${count("old", -1)}; END`,
  `CREATE TRIGGER conversation_recounted AFTER UPDATE OF state, assignee_id, team_id, unread ON conversations
    WHEN old.state <> new.state OR old.assignee_id IS NOT new.assignee_id OR old.team_id IS NOT new.team_id
      OR (old.unread > 0) <> (new.unread > 0)
    BEGIN ${count("old", -1)}; ${count("new", 1)}; END`
]

/** One statement counts all rows of a batch. */
const postgresCounter = (name: string, sources: ReadonlyArray<readonly [row: string, change: number]>): string => {
  const changes = sources.map(([row, change]) => `SELECT ${counted(row)}, ${change} FROM ${row}`).join(" UNION ALL ")
  return `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO ${counts}
      SELECT tenant_id, state, assignee_id, team_id, unread, sum(change)
      FROM (${changes}) AS changes(tenant_id, state, assignee_id, team_id, unread, change)
      GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0 ${adding};
    RETURN NULL; END $$`
}

const postgresTriggers: ReadonlyArray<string> = [
  postgresCounter("conversation_counted", [["added", 1]]),
  postgresCounter("conversation_uncounted", [["removed", -1]]),
  postgresCounter("conversation_recounted", [
    ["removed", -1],
    ["added", 1]
  ]),
  `CREATE TRIGGER conversation_counted AFTER INSERT ON conversations REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION conversation_counted()`,
  `CREATE TRIGGER conversation_uncounted AFTER DELETE ON conversations REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION conversation_uncounted()`,
  `CREATE TRIGGER conversation_recounted AFTER UPDATE ON conversations
    REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION conversation_recounted()`
]

/** Existing conversations are open. Those with unread messages wait since the first one after the newest answer. */
const begin: ReadonlyArray<string> = [
  `UPDATE conversations SET answered_at = coalesce((SELECT max(m."timestamp") FROM messages m
      WHERE m.tenant_id = conversations.tenant_id AND m.contact_id = conversations.contact_id
        AND m.actor IN ('agent', 'assistant') AND (m.auto IS NULL OR m.auto = 'own')), 0)`,
  `UPDATE conversations SET waiting_since = (SELECT min(m."timestamp") FROM messages m
      WHERE m.tenant_id = conversations.tenant_id AND m.contact_id = conversations.contact_id
        AND m.actor = 'contact' AND m.auto IS NULL AND m."timestamp" > conversations.answered_at)
    WHERE unread > 0`,
  `INSERT INTO ${counts} SELECT tenant_id, state, '', '', CASE WHEN unread > 0 THEN 1 ELSE 0 END, count(*)
    FROM conversations GROUP BY tenant_id, state, CASE WHEN unread > 0 THEN 1 ELSE 0 END`
]

/**
 * Adds the inbox state of conversations, their tags, the unread state of each user, and the numbers of conversations.
 * Triggers count every change, so the code that writes rows does not. This includes the code that copies a database.
 * See docs/decisions/0090-inbox.md. FROZEN.
 */
export const inbox: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({
    pg: () => [...tables(postgres), ...begin, ...indexes, ...postgresTriggers],
    orElse: () => [...tables(sqlite), ...begin, ...indexes, ...sqliteTriggers]
  })
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
