import { Context, type Effect } from "effect"
import type { GrantId } from "../../../domain/Id.ts"
import type { MailboxFolder } from "../../../domain/mailbox/Folder.ts"
import type { MailboxSync } from "../../../domain/mailbox/MailboxSync.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** One claim of a mailbox. `claim` is the number of the claim in `MailboxSync`. */
export type MailboxClaim = Pick<MailboxSync, "tenantId" | "grantId" | "claim">

/** The syncs of connected mailboxes. `MailboxAccounts.insert` creates them. Times are epoch milliseconds. */
export class MailboxSyncs extends Context.Service<
  MailboxSyncs,
  {
    /** Claims up to `limit` due mailboxes of active tenants until `leaseUntil`. Each tenant gets an even share. */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<MailboxSync>, StoreUnavailable>
    /** Extends the lease. Returns false when another server has claimed the mailbox, or the mailbox was removed. */
    readonly renew: (held: MailboxClaim, leaseUntil: number) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Stores the result of a look into all folders, or a failure, and the next due time. Returns false, without a write,
     * when another server has claimed the mailbox.
     */
    readonly save: (sync: MailboxSync) => Effect.Effect<boolean, StoreUnavailable>
    readonly find: (tenantId: string, grantId: GrantId) => Effect.Effect<MailboxSync | null, StoreUnavailable>
    /** Lists the syncs of all tenants that have failed since `before`, oldest first, at most `limit`. */
    readonly failing: (before: number, limit: number) => Effect.Effect<ReadonlyArray<MailboxSync>, StoreUnavailable>
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
