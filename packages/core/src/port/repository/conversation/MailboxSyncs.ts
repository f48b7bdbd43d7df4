import { Context, type Effect } from "effect"
import type { GrantId } from "../../../domain/Id.ts"
import type { MailboxFolder } from "../../../domain/mailbox/Folder.ts"
import type { MailboxSync } from "../../../domain/mailbox/MailboxSync.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** One claim of a mailbox. `claim` is the number of the claim in `MailboxSync`. */
export type MailboxClaim = Pick<MailboxSync, "tenantId" | "grantId" | "claim">

/** The number of mailboxes and of failing ones, and the oldest last sync; null before the first one. */
export interface MailboxTotals {
  readonly mailboxes: number
  readonly failing: number
  readonly oldestSyncAt: number | null
}

/** The syncs of connected mailboxes. `MailboxAccounts.insert` creates them. Times are epoch milliseconds. */
export class MailboxSyncs extends Context.Service<
  MailboxSyncs,
  {
    /** Claims up to `limit` due mailboxes until `leaseUntil`. Each tenant gets an even share. */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<MailboxSync>, StoreUnavailable>
    /**
     * Extends leases, and returns the extended ones. A missing one is lost: another server has claimed the mailbox, its
     * settings have changed, or it was removed.
     */
    readonly renew: (
      held: ReadonlyArray<MailboxClaim>,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<MailboxClaim>, StoreUnavailable>
    /**
     * Stores the result of a look into all folders, or a failure, and the next due time. Returns false, without a write,
     * when another server has claimed the mailbox. A sync without a failure resets `isReported`; otherwise it stays.
     */
    readonly save: (sync: MailboxSync) => Effect.Effect<boolean, StoreUnavailable>
    readonly find: (tenantId: string, grantId: GrantId) => Effect.Effect<MailboxSync | null, StoreUnavailable>
    /** Lists the syncs of all tenants that have failed since `before`, oldest first, at most `limit`. */
    readonly failing: (before: number, limit: number) => Effect.Effect<ReadonlyArray<MailboxSync>, StoreUnavailable>
    /** Like `failing`, without the failures that were reported. */
    readonly unreported: (before: number, limit: number) => Effect.Effect<ReadonlyArray<MailboxSync>, StoreUnavailable>
    /** Marks the current failure as reported. Returns false when it has ended or was already reported. */
    readonly markReported: (sync: MailboxSync) => Effect.Effect<boolean, StoreUnavailable>
    /** Counts the mailboxes of all tenants, for metrics. */
    readonly totals: Effect.Effect<MailboxTotals, StoreUnavailable>
    readonly folders: (
      tenantId: string,
      grantId: GrantId
    ) => Effect.Effect<ReadonlyArray<MailboxFolder>, StoreUnavailable>
    /** Stores the progress of a folder. Returns false, without a write, when another server has claimed the mailbox. */
    readonly saveFolder: (held: MailboxClaim, folder: MailboxFolder) => Effect.Effect<boolean, StoreUnavailable>
    /** Removes a folder that the server no longer lists. */
    readonly removeFolder: (held: MailboxClaim, path: string) => Effect.Effect<void, StoreUnavailable>
    /** Completes when a mailbox may be due, or after the given time. */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/conversation/MailboxSyncs") {}
