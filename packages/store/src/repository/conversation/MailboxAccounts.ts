import { MailboxAccount, type TokenRenewal } from "@leadloom/core/internal/domain/mailbox/MailboxAccount"
import { MailboxAccounts } from "@leadloom/core/internal/port/repository/conversation/MailboxAccounts"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { makeWakeUps } from "../../queue/WakeUps.ts"
import { table } from "../../sql/Table.ts"
import { wakeUpKind } from "./MailboxSyncs.ts"

const accounts = table(MailboxAccount, { name: "mailbox_accounts", key: ["tenantId", "grantId"] })

/** The claims of the renewal of tokens. Each one is a single statement, so that servers cannot both succeed. */
const makeRenewals = ({
  query
}: Database["Service"]): Pick<MailboxAccounts["Service"], "claimRenewal" | "endRenewal" | "renewal"> => {
  const renewal = query<TokenRenewal>(
    `SELECT tenant_id AS "tenantId", grant_id AS "grantId", renewal_claim AS "claim", renewing_until AS "claimedUntil"
      FROM mailbox_accounts WHERE tenant_id = ? AND grant_id = ?`
  )
  const claimRenewal = query(
    `UPDATE mailbox_accounts SET renewal_claim = renewal_claim + 1, renewing_until = ?
      WHERE tenant_id = ? AND grant_id = ? AND renewal_claim = ? RETURNING grant_id`
  )
  const endRenewal = query(
    `UPDATE mailbox_accounts SET secret = COALESCE(?, secret), renewing_until = 0
      WHERE tenant_id = ? AND grant_id = ? AND renewal_claim = ? RETURNING grant_id`
  )
  return {
    renewal: (tenantId, grantId) => Effect.map(renewal(tenantId, grantId), ([row]) => row ?? null),
    claimRenewal: ({ claim, grantId, tenantId }, until) =>
      Effect.map(claimRenewal(until, tenantId, grantId, claim), ({ length }) => length > 0),
    endRenewal: ({ claim, grantId, tenantId }, secret) =>
      Effect.map(endRenewal(secret, tenantId, grantId, claim), ({ length }) => length > 0)
  }
}

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
    // A renewal that has started with the former secret must not replace the new one.
    const endClaims = command(
      "UPDATE mailbox_accounts SET renewal_claim = renewal_claim + 1, renewing_until = 0 WHERE tenant_id = ? AND grant_id = ?"
    )
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
          whole(
            Effect.gen(function* () {
              const { grantId, tenantId } = account
              yield* update(...accounts.changes(account))
              yield* endClaims(tenantId, grantId)
              yield* restart(tenantId, grantId)
            })
          ),
          wakeAll
        ),
      ...makeRenewals(database),
      remove: (tenantId, grantId) =>
        whole(Effect.forEach(removals, (remove) => remove(tenantId, grantId), { discard: true }))
    })
  })
)
