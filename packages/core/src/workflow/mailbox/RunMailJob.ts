import { Effect, Result } from "effect"
import { again, done, type JobOutcome, maxJobAttempts, type QueuedJob } from "../../domain/job/Job.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { HostedMail } from "../../port/provider/HostedMail.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { expireGrant } from "./ExpireGrant.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { ownsMailbox } from "./Grants.ts"
import { behaviorAfter } from "../../domain/provider/ProviderBehavior.ts"
import type { ProviderFailure } from "../../domain/provider/ProviderFailure.ts"
import { catchUp } from "./CatchUp.ts"
import { fetchMail, recordUnfetchedMail } from "./FetchMail.ts"
import type { MailJob } from "../../domain/email/MailJob.ts"
import { log } from "../LogEvents.ts"

type Queued = QueuedJob<MailJob>

/**
 * The search for unreported mail recurs without end, so its number of attempts has no meaning. After a failure, it
 * waits as after this number of attempts: 40 s.
 */
const catchUpCountsAs = 4

const postpone = ({ job }: Queued, reason: string): JobOutcome =>
  again(reason, job.kind === "catch_up" ? catchUpCountsAs : undefined)

/** Returns the account of a job. Returns null when the account is no longer connected. */
const accountOf = Effect.fnUntraced(function* (tenantId: string, job: Exclude<MailJob, { readonly kind: "revoke" }>) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const grant = yield* (yield* Grants).find(tenantId, job.grantId)
  const providerGrantId = grant?.providerGrantId ?? null
  if (tenant.hipaa || grant === null || providerGrantId === null) return null
  return { tenant, grant, providerGrantId }
})

/** Revokes a permission at the provider, unless a tenant uses it again. */
const revoke = Effect.fnUntraced(function* (providerGrantId: string) {
  const holders = yield* (yield* Grants).ofProvider(providerGrantId)
  if (holders.length === 0) yield* (yield* HostedMail).revoke(providerGrantId)
  return done
})

const run = Effect.fnUntraced(function* (queued: Queued) {
  const { job, tenantId } = queued
  if (job.kind === "revoke") return yield* revoke(job.providerGrantId)
  const account = yield* accountOf(tenantId, job).pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  if (account === null) return done
  const { grant, providerGrantId } = account
  if (job.kind === "catch_up") {
    const next = yield* catchUp(grant, providerGrantId, job)
    return { _tag: "Later", ...next, reason: null } satisfies JobOutcome
  }
  if (!(yield* ownsMailbox(grant))) return done
  if (grant.status === "expired") return postpone(queued, "the owner of the account has to sign in again")
  yield* fetchMail({ ...account, job }).pipe(
    // A deleted mail cannot be downloaded. The same applies to a mail that the provider has refused in every attempt.
    Effect.catchReasons("ProviderFailure", {
      Gone: (reason) => recordUnfetchedMail({ ...account, job }, reason),
      Refused: (reason, failure) =>
        queued.attempts < maxJobAttempts ? Effect.fail(failure) : recordUnfetchedMail({ ...account, job }, reason)
    })
  )
  return done
})

/**
 * Marks the account as expired when its provider denies access to a mail. If the provider also denies access to the
 * record of the account, the API key of this deployment is wrong. The account then stays active, because its owner
 * cannot correct the key.
 */
const expire = Effect.fnUntraced(function* ({ job, tenantId }: Queued, reason: string) {
  if (job.kind !== "fetch") return
  const grant: Grant | null = yield* (yield* Grants).find(tenantId, job.grantId)
  if (grant === null || grant.providerGrantId === null) return
  const requested = yield* Effect.result((yield* HostedMail).account(grant.providerGrantId))
  const keyRefused = Result.isFailure(requested) && behaviorAfter(requested.failure) === "sign_out"
  if (!keyRefused) yield* expireGrant(grant, reason)
})

const failed = Effect.fnUntraced(function* (queued: Queued, failure: ProviderFailure) {
  const { message } = failure
  const behavior = behaviorAfter(failure)
  if (behavior === "sign_out") yield* expire(queued, message)
  const { job } = queued
  const isGivenUp = job.kind === "revoke" && behavior !== "retry" && queued.attempts >= maxJobAttempts
  if (!isGivenUp) return postpone(queued, message)
  const { providerGrantId } = job
  yield* log("grant.revoke_failed", { tenant: queued.tenantId, provider_grant: providerGrantId, reason: message })
  return done
})

/** Runs one job of a mail provider. */
export const runMailJob = (queued: Queued) =>
  run(queued).pipe(
    Effect.catchTags({
      ProviderFailure: (failure) => failed(queued, failure),
      ObjectsUnavailable: ({ reason }) => Effect.succeed(postpone(queued, reason)),
      ParserUnavailable: ({ reason }) => Effect.succeed(postpone(queued, reason))
    })
  )
