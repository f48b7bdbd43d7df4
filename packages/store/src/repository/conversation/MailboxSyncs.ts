import { MailboxFolder } from "@leadloom/core/internal/domain/mailbox/Folder"
import { MailboxSync } from "@leadloom/core/internal/domain/mailbox/MailboxSync"
import {
  type MailboxClaim,
  MailboxSyncs,
  type MailboxTotals
} from "@leadloom/core/internal/port/repository/conversation/MailboxSyncs"
import { Effect, Layer } from "effect"
import { Database, type DatabaseShape } from "../../Database.ts"
import { makeClaim, type WorkTable } from "../../queue/Claim.ts"
import { makeWakeUps } from "../../queue/WakeUps.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

/** The kind of the wake-ups for due mailboxes. */
export const wakeUpKind = "mailboxes"

const syncs = table(MailboxSync, { name: "mailbox_syncs", key: ["tenantId", "grantId"] })
const folders = table(MailboxFolder, { name: "mailbox_folders", key: ["tenantId", "grantId", "path"] })

/** The work table of mailboxes. Every connected mailbox is open for ever. */
export const work: WorkTable = {
  name: "mailbox_syncs",
  id: "grant_id",
  open: "claim >= 0",
  index: "mailbox_syncs_due",
  changes: "claim = claim + 1",
  columns: syncs.columns
}

const keyOf = ({ claim, grantId, tenantId }: MailboxClaim) => [tenantId, grantId, claim] as const

/** A condition for the claim that a caller holds. Its parameters are `keyOf`. */
const held = "tenant_id = ? AND grant_id = ? AND claim = ?"

/** The statements that need the claim of the mailbox. */
const claimed = ({ command, query, tuples, whole }: DatabaseShape) => {
  const renew = query<MailboxClaim>(
    `UPDATE mailbox_syncs SET due_at = ? WHERE (tenant_id, grant_id, claim) IN
      (SELECT item.value ->> 0, item.value ->> 1, CAST(item.value ->> 2 AS bigint) FROM ${tuples})
      RETURNING tenant_id AS "tenantId", grant_id AS "grantId", claim`
  )
  // `is_reported` belongs to the failure: only the end of the failure and `markReported` change it.
  const save = query(
    `UPDATE mailbox_syncs SET due_at = ?, last_sync_at = ?, failing_since = ?, failures = ?, error = ?,
      is_reported = CASE WHEN ? = 1 THEN is_reported ELSE 0 END WHERE ${held} RETURNING claim`
  )
  const isHeld = query(`SELECT claim FROM mailbox_syncs WHERE ${held}`)
  const saveFolder = command(
    `${folders.insert} ON CONFLICT (tenant_id, grant_id, path) DO UPDATE SET role = excluded.role,
      uid_validity = excluded.uid_validity, uid_next = excluded.uid_next, backfill_uid = excluded.backfill_uid,
      highest_modseq = excluded.highest_modseq, messages = excluded.messages, synced_at = excluded.synced_at`
  )
  const removeFolder = command("DELETE FROM mailbox_folders WHERE tenant_id = ? AND grant_id = ? AND path = ?")
  const whileHeld = (claim: MailboxClaim, write: ReturnType<typeof removeFolder>) =>
    whole(
      Effect.gen(function* () {
        const found = yield* isHeld(...keyOf(claim))
        if (found.length === 0) return false
        yield* write
        return true
      })
    )
  return {
    renew: (claims: ReadonlyArray<MailboxClaim>, leaseUntil: number) =>
      claims.length === 0 ? Effect.succeed([]) : renew(leaseUntil, JSON.stringify(claims.map(keyOf))),
    save: (sync: MailboxSync) => {
      const { dueAt, error, failingSince, failures, lastSyncAt } = sync
      const values = [dueAt, lastSyncAt, failingSince, failures, error, failingSince === null ? 0 : 1] as const
      return Effect.map(save(...values, ...keyOf(sync)), (rows) => rows.length > 0)
    },
    saveFolder: (claim: MailboxClaim, folder: MailboxFolder) => whileHeld(claim, saveFolder(...folders.values(folder))),
    removeFolder: (claim: MailboxClaim, path: string) =>
      Effect.asVoid(whileHeld(claim, removeFolder(claim.tenantId, claim.grantId, path)))
  }
}

/** The statements about failures and totals. */
const observed = ({ by, query }: DatabaseShape) => {
  const failures = `FROM mailbox_syncs ${by("mailbox_syncs_failing")} WHERE failing_since IS NOT NULL AND failing_since <= ?`
  const order = "ORDER BY failing_since, tenant_id, grant_id LIMIT ?"
  const { all } = syncs.reading({ query })
  const markReported = query(
    `UPDATE mailbox_syncs SET is_reported = 1
      WHERE tenant_id = ? AND grant_id = ? AND failing_since = ? AND is_reported = 0 RETURNING claim`
  )
  const totals = query<{ readonly [Name in keyof MailboxTotals]: number | string | null }>(
    `SELECT count(*) AS "mailboxes", count(failing_since) AS "failing", min(coalesce(last_sync_at, failing_since))
      AS "oldestSyncAt" FROM mailbox_syncs`
  )
  const numberOf = (value: number | string | null | undefined) => Number(value ?? 0)
  return {
    failing: all(`SELECT ${syncs.columns} ${failures} ${order}`),
    unreported: all(`SELECT ${syncs.columns} ${failures} AND is_reported = 0 ${order}`),
    markReported: ({ failingSince, grantId, tenantId }: MailboxSync) =>
      Effect.map(markReported(tenantId, grantId, failingSince), (rows) => rows.length > 0),
    totals: Effect.map(totals(), (rows) => {
      const row = first(rows)
      const oldestSyncAt = row?.oldestSyncAt ?? null
      return {
        mailboxes: numberOf(row?.mailboxes),
        failing: numberOf(row?.failing),
        oldestSyncAt: oldestSyncAt === null ? null : Number(oldestSyncAt)
      }
    })
  }
}

/** Stores the progress and the leases of mailboxes in SQL. */
export const layer: Layer.Layer<MailboxSyncs, never, Database> = Layer.effect(
  MailboxSyncs,
  Effect.map(Database, (database) => {
    const { query } = database
    const claim = makeClaim<MailboxSync>(database, work, ({ grantId }) => grantId)
    const { wait } = makeWakeUps(database, wakeUpKind)
    return MailboxSyncs.of({
      ...claimed(database),
      ...observed(database),
      claim: (limit, now, leaseUntil) =>
        Effect.map(claim(limit, now, leaseUntil), (rows) => rows.map((row) => syncs.fromRow(row))),
      find: syncs
        .reading({ query })
        .one(`SELECT ${syncs.columns} FROM mailbox_syncs WHERE tenant_id = ? AND grant_id = ?`),
      folders: folders
        .reading({ query })
        .all(`SELECT ${folders.columns} FROM mailbox_folders WHERE tenant_id = ? AND grant_id = ? ORDER BY path`),
      wait
    })
  })
)
