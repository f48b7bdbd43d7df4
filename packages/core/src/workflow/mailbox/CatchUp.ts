import { Clock, Effect } from "effect"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { activateGrant, expireGrant } from "./ExpireGrant.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { ownsMailbox } from "./Grants.ts"
import type { HostedListing } from "../../domain/email/HostedMail.ts"
import { providerKey } from "../intake/Recognise.ts"
import {
  catchUpMillis,
  catchUpOverlapMillis,
  fetchId,
  type MailJob,
  oldMailMillis
} from "../../domain/email/MailJob.ts"
import { withSpan } from "../WithSpan.ts"

type CatchUp = Extract<MailJob, { readonly kind: "catch_up" }>

/** The due time of the next search for unreported mail, and the content of its job. */
export interface NextPoll {
  readonly dueAt: number
  readonly job: CatchUp
}

/** Stores the account's status at the provider. Returns true when the provider permits reading the account's mail. */
const isOpen = Effect.fnUntraced(function* (grant: Grant, providerGrantId: string) {
  const gone = { valid: false }
  const hosted = yield* HostedMail
  const { valid } = yield* hosted
    .account(providerGrantId)
    .pipe(Effect.catchReason("ProviderFailure", "Gone", () => Effect.succeed(gone)))
  if (!valid) {
    yield* expireGrant(grant, "the provider reports that the permission has expired")
    return false
  }
  yield* activateGrant(grant)
  return true
})

/** Queues a download job for each listed mail that is not stored yet. */
const keepMissing = Effect.fnUntraced(function* (
  { grantId, tenantId }: Grant,
  providerGrantId: string,
  listed: ReadonlyArray<HostedListing>
) {
  const keyOf = ({ providerMessageId }: HostedListing) => providerKey(providerGrantId, providerMessageId)
  const jobs = yield* Jobs
  const held = yield* (yield* Messages).holders(tenantId, listed.map(keyOf))
  const here = new Set(held.map(({ key }) => key))
  const now = yield* Clock.currentTimeMillis
  const missing = listed.filter((mail) => !here.has(keyOf(mail)))
  yield* Effect.forEach(missing, ({ providerMessageId, receivedAt }) => {
    const historical = now - receivedAt > oldMailMillis
    const job = { kind: "fetch", grantId, providerMessageId, historical } as const
    return jobs.put({
      tenantId,
      jobId: fetchId(grantId, providerMessageId),
      dueAt: now,
      createdAt: now,
      job
    })
  })
})

/**
 * Lists one page of recent mail in an account, and queues downloads of mail that the provider has not reported. A lost
 * webhook therefore loses no mail. Mail from before the connection of the account is not requested.
 */
export const catchUp = Effect.fnUntraced(function* (grant: Grant, providerGrantId: string, job: CatchUp) {
  const now = yield* Clock.currentTimeMillis
  const later = (changes: Partial<CatchUp>): NextPoll => ({
    dueAt: now + catchUpMillis,
    job: { ...job, page: null, ...changes }
  })
  if (!(yield* isOpen(grant, providerGrantId))) return later({})
  // In this case another tenant owns the mailbox, and its mail belongs to that tenant.
  if (!(yield* ownsMailbox(grant))) return later({ since: now })
  const since = Math.max(job.since - catchUpOverlapMillis, grant.createdAt)
  const { messages, next } = yield* (yield* HostedMail).listSince(providerGrantId, since, job.page?.next ?? null)
  yield* (yield* Transactions).atomically(grant.tenantId, keepMissing(grant, providerGrantId, messages))
  const begunAt = job.page?.begunAt ?? now
  if (next === null) return later({ since: begunAt })
  const goOn: NextPoll = { dueAt: now, job: { ...job, page: { next, begunAt } } }
  return goOn
}, withSpan("catchUp"))
