import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Adds the mailboxes that the server reads over IMAP: their accounts, syncs and folders. FROZEN. */
export const mailboxes: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { ending, int, text } = sql.onDialectOrElse({
    pg: () => ({ text: 'text COLLATE "C"', int: "bigint", ending: "" }),
    orElse: () => ({ text: "TEXT", int: "INTEGER", ending: "STRICT, WITHOUT ROWID" })
  })
  yield* sql.unsafe(`CREATE TABLE mailbox_accounts (
    tenant_id ${text} NOT NULL, grant_id ${text} NOT NULL, username ${text} NOT NULL, imap ${text} NOT NULL,
    smtp ${text} NOT NULL, secret ${text} NOT NULL, since_at ${int} NOT NULL, sets_flags ${int} NOT NULL,
    created_at ${int} NOT NULL, PRIMARY KEY (tenant_id, grant_id)) ${ending}`)
  yield* sql.unsafe(`CREATE TABLE mailbox_syncs (
    tenant_id ${text} NOT NULL, grant_id ${text} NOT NULL, due_at ${int} NOT NULL, claim ${int} NOT NULL,
    last_sync_at ${int}, failing_since ${int}, failures ${int} NOT NULL, error ${text}, is_reported ${int} NOT NULL,
    PRIMARY KEY (tenant_id, grant_id)) ${ending}`)
  yield* sql.unsafe("CREATE INDEX mailbox_syncs_due ON mailbox_syncs (tenant_id, due_at, grant_id)")
  yield* sql.unsafe(
    "CREATE INDEX mailbox_syncs_failing ON mailbox_syncs (tenant_id, failing_since) WHERE failing_since IS NOT NULL"
  )
  yield* sql.unsafe(`CREATE TABLE mailbox_folders (
    tenant_id ${text} NOT NULL, grant_id ${text} NOT NULL, path ${text} NOT NULL, role ${text} NOT NULL,
    uid_validity ${text} NOT NULL, uid_next ${int} NOT NULL, backfill_uid ${int}, highest_modseq ${text},
    messages ${int} NOT NULL, synced_at ${int}, PRIMARY KEY (tenant_id, grant_id, path)) ${ending}`)
})
