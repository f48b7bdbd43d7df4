import { Cause, Clock, Effect, Result } from "effect"
import { Errands } from "../../port/Errands.ts"
import { Grants } from "../../port/Grants.ts"
import { HostedMail } from "../../port/HostedMail.ts"
import { Tenants } from "../../port/Tenants.ts"
import { backoffMillis } from "../Backoff.ts"
import { expireGrant } from "../ExpireGrant.ts"
import type { Grant } from "../Grant.ts"
import type { HostedFailure } from "../HostedMail.ts"
import { catchUp } from "./CatchUp.ts"
import { errandAttempts, errandLeaseMillis, type Errand, type QueuedErrand } from "./Errand.ts"
import { fetchMail, recordLoss } from "./FetchMail.ts"
import { workForever } from "../../WorkForever.ts"

/** Errands taken at once, and done beside each other. */
const batch = 8

/** Looking for missed mail never ends, so how often it was begun says nothing: it waits as after this attempt, 40 s. */
const catchUpCountsAs = 4

const finish = Effect.fnUntraced(function* (queued: QueuedErrand) {
  yield* (yield* Errands).finish(queued)
})

const postpone = Effect.fnUntraced(function* (queued: QueuedErrand, reason: string) {
  const attempts = queued.errand.kind === "catch_up" ? catchUpCountsAs : queued.attempts
  const dueAt = (yield* Clock.currentTimeMillis) + backoffMillis(attempts)
  yield* (yield* Errands).release(queued, dueAt, queued.errand, reason.slice(0, 500))
})

/** The account an errand is for, while it is connected. */
const accountOf = Effect.fnUntraced(function* (tenantId: string, errand: Exclude<Errand, { readonly kind: "revoke" }>) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const grant = yield* (yield* Grants).current(tenantId)
  const providerGrantId = grant?.providerGrantId ?? null
  if (tenant.hipaa || grant === null || providerGrantId === null || grant.grantId !== errand.grantId) return null
  return { tenant, grant, providerGrantId }
})

/** Gives a permission back, unless somebody here has it (again). */
const revoke = Effect.fnUntraced(function* (queued: QueuedErrand, providerGrantId: string) {
  const holders = yield* (yield* Grants).ofProvider(providerGrantId)
  if (holders.length === 0) yield* (yield* HostedMail).revoke(providerGrantId)
  yield* finish(queued)
})

const run = Effect.fnUntraced(function* (queued: QueuedErrand) {
  const { errand, tenantId } = queued
  if (errand.kind === "revoke") return yield* revoke(queued, errand.providerGrantId)
  const account = yield* accountOf(tenantId, errand).pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  if (account === null) return yield* finish(queued)
  const { grant, providerGrantId } = account
  if (errand.kind === "catch_up") {
    const next = yield* catchUp(grant, providerGrantId, errand)
    return void (yield* (yield* Errands).release(queued, next.dueAt, next.errand, null))
  }
  if (grant.status === "expired") return yield* postpone(queued, "the account has to be signed in again")
  yield* fetchMail({ ...account, errand }).pipe(
    // A mail that is gone, or refused again and again, will not be had.
    Effect.catchTag("HostedGone", (gone) => recordLoss({ ...account, errand }, gone)),
    Effect.catchTag(
      "HostedRefused",
      Effect.fnUntraced(function* (refused) {
        if (queued.attempts < errandAttempts) return yield* refused
        return yield* recordLoss({ ...account, errand }, refused)
      })
    )
  )
  yield* finish(queued)
})

/**
 * The account of a mail that its provider does not let us fetch any more. Who is not let in when he asks about the
 * account itself has the wrong key, and no owner could help it.
 */
const expire = Effect.fnUntraced(function* ({ errand, tenantId }: QueuedErrand, reason: string) {
  const grant: Grant | null = yield* (yield* Grants).current(tenantId)
  if (grant === null || grant.providerGrantId === null || errand.kind !== "fetch" || grant.grantId !== errand.grantId)
    return
  const asked = yield* Effect.result((yield* HostedMail).account(grant.providerGrantId))
  const keyRefused = Result.isFailure(asked) && asked.failure._tag === "SignInExpired"
  if (!keyRefused) yield* expireGrant(grant, reason)
})

const failed = Effect.fnUntraced(function* (queued: QueuedErrand, failure: HostedFailure) {
  const reason = "reason" in failure ? failure.reason : `${failure.what} is gone`
  if (failure._tag === "SignInExpired") yield* expire(queued, reason)
  const { errand } = queued
  const given = errand.kind === "revoke" && failure._tag !== "HostedUnavailable" && queued.attempts >= errandAttempts
  if (!given) return yield* postpone(queued, reason)
  yield* Effect.logError("A permission could not be given back; take it back at the provider").pipe(
    Effect.annotateLogs({ tenant: queued.tenantId, providerGrant: errand.providerGrantId, reason })
  )
  yield* finish(queued)
})

/** Does one errand, or puts it off. */
const work = (queued: QueuedErrand) =>
  run(queued).pipe(
    Effect.catchTags({
      HostedUnavailable: (failure) => failed(queued, failure),
      HostedRefused: (failure) => failed(queued, failure),
      HostedGone: (failure) => failed(queued, failure),
      SignInExpired: (failure) => failed(queued, failure),
      ObjectsUnavailable: ({ reason }) => postpone(queued, reason),
      ProviderNotConfigured: ({ setting }) => postpone(queued, `${setting} is not set`)
    }),
    // Whatever broke, the lease ends and somebody looks at it again.
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logError("An errand to a mail provider broke", cause).pipe(
            Effect.annotateLogs({ tenant: queued.tenantId, errand: queued.errandId, attempts: queued.attempts })
          )
    )
  )

/** Takes what is due and does it; answers how many errands that were. */
export const workDueErrands = Effect.fnUntraced(function* () {
  const now = yield* Clock.currentTimeMillis
  const due = yield* (yield* Errands).claim(batch, now, now + errandLeaseMillis)
  yield* Effect.forEach(due, work, { concurrency: batch, discard: true })
  return due.length
})

/** Does errands for ever. Interrupting it is safe at any time: what was not finished comes back with its lease. */
export const workErrands = workForever(workDueErrands(), (millis) =>
  Effect.flatMap(Errands, (errands) => errands.wait(millis))
)
