import { MailboxAccount } from "@leadloom/core/internal/domain/mailbox/MailboxAccount"
import { MailboxAccounts } from "@leadloom/core/internal/port/repository/conversation/MailboxAccounts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { makeWakeUps } from "../../queue/WakeUps.ts"
import { table } from "../../sql/Table.ts"
import { wakeUpKind } from "./MailboxSyncs.ts"

const accounts = table(MailboxAccount, { name: "mailbox_accounts", key: ["tenantId", "grantId"] })

/** Stores the servers and sealed secrets of mailboxes in SQL. */
export const layer: Layer.Layer<MailboxAccounts, never, Database> = Layer.effect(
  MailboxAccounts,
  Effect.map(Database, (database) => {
    const { command, query, whole } = database
    const insert = command(accounts.insert)
    const begin = command(
      `INSERT INTO mailbox_syncs (tenant_id, grant_id, due_at, claim, last_sync_at, failing_since, failures, error,
        is_reported) VALUES (?, ?, ?, 0, NULL, NULL, 0, NULL, 0)`
    )
    const update = query(accounts.update)
    // The new claim number ends the connection that another server holds with the former settings.
    const restart = command(
      "UPDATE mailbox_syncs SET due_at = 0, claim = claim + 1 WHERE tenant_id = ? AND grant_id = ?"
    )
    const removals = ["mailbox_accounts", "mailbox_syncs", "mailbox_folders"].map((name) =>
      command(`DELETE FROM ${name} WHERE tenant_id = ? AND grant_id = ?`)
    )
    const { wakeAll } = makeWakeUps(database, wakeUpKind)
    return MailboxAccounts.of({
      insert: (account) =>
        Effect.andThen(
          whole(
            Effect.andThen(
              insert(...accounts.values(account)),
              begin(account.tenantId, account.grantId, account.createdAt)
            )
          ),
          wakeAll
        ),
      find: accounts
        .reading({ query })
        .one(`SELECT ${accounts.columns} FROM mailbox_accounts WHERE tenant_id = ? AND grant_id = ?`),
      update: (account) =>
        Effect.andThen(
          whole(Effect.andThen(update(...accounts.changes(account)), restart(account.tenantId, account.grantId))),
          wakeAll
        ),
      remove: (tenantId, grantId) =>
        whole(Effect.forEach(removals, (remove) => remove(tenantId, grantId), { discard: true }))
    })
  })
)
