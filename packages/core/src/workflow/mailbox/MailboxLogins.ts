import { Effect } from "effect"
import type { Grant } from "../../domain/email/Grant.ts"
import { type MailboxAccount, mailboxSealContext, type MailboxSecret } from "../../domain/mailbox/MailboxAccount.ts"
import { signedOut } from "../../domain/provider/ProviderFailure.ts"
import type { Vault } from "../../port/system/Vault.ts"
import { loginOf } from "./sync/OpenMailbox.ts"

/** Seals the secret of an account for storage. */
export const sealMailboxSecret = (
  vault: Vault["Service"],
  { grantId, tenantId }: Pick<MailboxAccount, "grantId" | "tenantId">,
  secret: MailboxSecret
): string => vault.seal(JSON.stringify(secret), mailboxSealContext(tenantId, grantId))

/**
 * Returns the login of a connected mailbox. Fails with `SignedOut` when the secret cannot be opened: the owner must
 * then connect the mailbox again.
 */
export const mailboxLogin = (grant: Grant, account: MailboxAccount) =>
  Effect.mapError(loginOf({ account, grant }), ({ reason }) =>
    signedOut("mail", `the stored password cannot be opened: ${reason}`)
  )
