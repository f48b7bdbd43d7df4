import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { type ReadOnlyDatabase, tablesOf } from "./ReadOnlyDatabase.ts"

/** A mailbox that the servers cannot read. */
export interface FailingMailbox {
  readonly tenantId: string
  /** The address of the account. */
  readonly email: string
  /** The time of the first failure, in epoch milliseconds. */
  readonly failingSince: number
  readonly error: string
}

/** The maximum number of returned mailboxes. */
const maxListed = 50

/** Finds mailboxes that cannot be read, oldest failure first. Works with databases of this version and of older ones. */
export const failingMailboxes = Effect.fnUntraced(function* (
  database: ReadOnlyDatabase
): Effect.fn.Return<ReadonlyArray<FailingMailbox>, StoreUnavailable> {
  const present = yield* tablesOf(database)
  if (!present.has("mailbox_syncs")) return []
  const rows = yield* database.query(
    `SELECT s.tenant_id, g.email, CAST(s.failing_since AS text), s.error FROM mailbox_syncs s
      JOIN grants g ON g.tenant_id = s.tenant_id AND g.grant_id = s.grant_id
      WHERE s.failing_since IS NOT NULL ORDER BY s.failing_since, s.tenant_id LIMIT ${maxListed}`
  )
  return rows.map(([tenantId, email, failingSince, error]) => ({
    tenantId: String(tenantId),
    email: String(email),
    failingSince: Number(failingSince),
    error: String(error ?? "")
  }))
})
