import { Clock, Effect } from "effect"
import { recordAuditChange } from "../access/Audited.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { MailboxAccounts } from "../../port/repository/conversation/MailboxAccounts.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { GrantNotFound } from "../../domain/email/Grant.ts"
import { auditedGrant } from "./Grants.ts"
import { revokeConsent } from "./OAuthSignIn.ts"
import { revokeId } from "../../domain/email/MailJob.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Disconnects an account. From then on, its mail is neither read nor sent. The login of a mailbox is deleted, and the
 * consent of its owner is revoked once, if the provider supports that. For a hosted account, a job revokes the
 * permission, and retries while the provider is unavailable.
 */
export const disconnect = Effect.fnUntraced(function* (tenantId: string, grantId: string) {
  const removed = yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const grants = yield* Grants
      const grant = yield* grants.find(tenantId, grantId)
      if (grant === null) return yield* new GrantNotFound({ grantId })
      yield* grants.remove(tenantId, grantId)
      const accounts = yield* MailboxAccounts
      const account = grant.provider === "imap" ? yield* accounts.find(tenantId, grant.grantId) : null
      if (account !== null) yield* accounts.remove(tenantId, grant.grantId)
      yield* recordAuditChange({ before: auditedGrant(grant), after: null })
      const { providerGrantId } = grant
      if (providerGrantId === null) return account
      const now = yield* Clock.currentTimeMillis
      const job = { kind: "revoke", providerGrantId } as const
      const jobId = revokeId(providerGrantId)
      yield* (yield* Jobs).put({ tenantId, jobId, dueAt: now, createdAt: now, job })
      return account
    })
  )
  // A job could revoke a consent that the owner has given again in the meantime.
  if (removed !== null) yield* revokeConsent(removed)
}, withSpan("disconnect"))
