import { Clock, Effect } from "effect"
import type { GrantId } from "../../domain/Id.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { AccountLimit } from "../../domain/email/Accounts.ts"
import { ConnectionExists, type Grant } from "../../domain/email/Grant.ts"
import { asciiEmail } from "../../domain/email/Mailbox.ts"
import type { HostedAccount } from "../../domain/email/HostedMail.ts"
import { catchUpId, catchUpMillis } from "../../domain/email/MailJob.ts"

/** Queues the recurring search for unreported mail. For a new account, it covers the time from now on. */
const lookAfter = Effect.fnUntraced(function* (grant: Grant, now: number) {
  const jobs = yield* Jobs
  const jobId = catchUpId(grant.grantId)
  const job = { kind: "catch_up", grantId: grant.grantId, since: now, page: null } as const
  yield* jobs.put({ tenantId: grant.tenantId, jobId, dueAt: now + catchUpMillis, createdAt: now, job })
})

/**
 * Connects an authorised account to the tenant. A new account gets the id `grantId`. If the same account is already
 * connected, it keeps its grant, and a search for unreported mail becomes due. Fails with `ConnectionExists` when the
 * tenant may not connect another account. Runs inside a unit of work.
 */
export const connectAccount = Effect.fnUntraced(function* (
  tenantId: string,
  { email: written, provider, providerGrantId, valid }: HostedAccount,
  grantId: GrantId,
  name: string | null
) {
  const grants = yield* Grants
  const email = asciiEmail(written)
  const now = yield* Clock.currentTimeMillis
  const accounts = yield* grants.list(tenantId)
  const connected = accounts.find((each) => asciiEmail(each.email) === email)
  const status = valid ? "active" : "expired"
  if (connected === undefined) {
    const times = { createdAt: now, updatedAt: now }
    const account = { grantId, tenantId, provider, email, name, status, providerGrantId } as const
    const grant: Grant = { ...account, aliases: [], signature: null, ...times }
    yield* grants.insert(grant, yield* AccountLimit)
    yield* lookAfter(grant, now)
    return { grant, signedInAgain: false }
  }
  if (connected.provider !== provider) return yield* new ConnectionExists({ ...connected, limit: null })
  const grant: Grant = { ...connected, providerGrantId, status, updatedAt: now }
  yield* grants
    .update(grant)
    .pipe(Effect.catchTag("GrantNotFound", () => Effect.die("the grant was read in this unit of work")))
  yield* lookAfter(grant, now)
  yield* (yield* Jobs).hurry(tenantId, catchUpId(grant.grantId), now)
  return { grant, signedInAgain: true }
})
