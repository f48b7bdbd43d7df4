import { Context, type Effect } from "effect"
import type { GrantId } from "../../../domain/Id.ts"
import type { MailboxAccount, TokenRenewal } from "../../../domain/mailbox/MailboxAccount.ts"
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
    /** Returns the state of the renewal of the account's tokens. Returns null when the account was removed. */
    readonly renewal: (tenantId: string, grantId: GrantId) => Effect.Effect<TokenRenewal | null, StoreUnavailable>
    /** Claims the renewal until a time, with the next number. Returns false when its state has changed meanwhile. */
    readonly claimRenewal: (renewal: TokenRenewal, until: number) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Ends the claim with this number, and stores the new secret unless it is null. Returns false, and stores nothing,
     * when the account was removed or connected again, or another server has claimed the renewal.
     */
    readonly endRenewal: (renewal: TokenRenewal, secret: string | null) => Effect.Effect<boolean, StoreUnavailable>
    /** Removes an account with its sync and its folders. */
    readonly remove: (tenantId: string, grantId: GrantId) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/conversation/MailboxAccounts") {}
