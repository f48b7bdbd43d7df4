import { Context, type Effect } from "effect"
import type { GrantId } from "../../../domain/Id.ts"
import type { MailboxAccount } from "../../../domain/mailbox/MailboxAccount.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The connected mailboxes: their servers and their sealed secrets. The mailbox of a grant has the grant's id. */
export class MailboxAccounts extends Context.Service<
  MailboxAccounts,
  {
    /** Stores an account together with its `MailboxSync`, which is due immediately. */
    readonly insert: (account: MailboxAccount) => Effect.Effect<void, StoreUnavailable>
    readonly find: (tenantId: string, grantId: GrantId) => Effect.Effect<MailboxAccount | null, StoreUnavailable>
    /** Replaces an account. Has no effect when it was removed. Its sync becomes due immediately. */
    readonly update: (account: MailboxAccount) => Effect.Effect<void, StoreUnavailable>
    /** Removes an account with its sync and its folders. */
    readonly remove: (tenantId: string, grantId: GrantId) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/conversation/MailboxAccounts") {}
