import { Clock, Effect, Redacted, Result } from "effect"
import { Crm } from "../../port/provider/Crm.ts"
import { CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import type { Events } from "../../port/repository/webhook/Events.ts"
import type { Ids } from "../../port/system/Ids.ts"
import type { StoreUnavailable, Transactions } from "../../port/system/Transactions.ts"
import { Vault } from "../../port/system/Vault.ts"
import {
  CrmNotInstalled,
  CrmRefused,
  crmReason,
  CrmSignedOut,
  type CrmFailure,
  CrmUnavailable
} from "../../domain/crm/CrmFailure.ts"
import type { CrmAccess, CrmGrant } from "../../domain/crm/CrmGrant.ts"
import { type CrmInstall, crmSealContext, agencyTenantId } from "../../domain/crm/Location.ts"
import { markSignedOut } from "./MarkSignedOut.ts"

/** New tokens are fetched this long before the old one ends: a call that has begun is not cut off. */
export const renewalMillis = 5 * 60_000

/** How long one of us may take to fetch tokens before another tries. Longer than the CRM is waited for. */
export const renewalLeaseMillis = 60_000

/** How often who waits for another's tokens looks for them. */
const lookMillis = 200

/** Whoever let us in: the install with fresh tokens sealed in. */
export const sealTokens = Effect.fnUntraced(function* (
  install: CrmInstall,
  { accessToken, companyId, expiresIn, refreshToken, scopes }: CrmGrant
) {
  const { seal } = yield* Vault
  const now = yield* Clock.currentTimeMillis
  const place = crmSealContext(install.tenantId, install.locationId)
  const next: CrmInstall = {
    ...install,
    companyId: companyId ?? install.companyId,
    status: "installed",
    sealedAccess: seal(Redacted.value(accessToken), place),
    sealedRefresh: refreshToken === null ? "" : seal(Redacted.value(refreshToken), place),
    expiresAt: now + expiresIn * 1_000,
    scopes: scopes.length > 0 ? scopes : install.scopes,
    refreshingUntil: null,
    reason: null,
    updatedAt: now
  }
  return next
})

/** Opens a sealed token. One that does not open is as good as one that the CRM does not take. */
const open = ({ locationId, tenantId }: CrmInstall, sealed: string) =>
  Effect.flatMap(Vault, (vault) => vault.open(sealed, crmSealContext(tenantId, locationId))).pipe(
    Effect.map((token) => Redacted.make(token, { label: "token of the CRM" })),
    Effect.mapError(({ reason }) => new CrmSignedOut({ reason: `the kept token cannot be read: ${reason}` }))
  )

/** The CRM's answer to a refresh that brought none: for good, or for now. */
const renewalFailed = Effect.fnUntraced(function* (held: CrmInstall, failure: CrmFailure) {
  if (failure._tag === "CrmSignedOut") {
    yield* markSignedOut(held, failure.reason)
    return new CrmSignedOut({ reason: failure.reason })
  }
  yield* (yield* CrmInstalls).replace({ ...held, refreshingUntil: null }, held.version)
  // Whether the token was used up shows when it is tried again; nothing of the call itself has been done.
  return failure._tag === "CrmOutcomeUnknown"
    ? new CrmUnavailable({ reason: failure.reason, waitMillis: null })
    : failure
})

/** What it takes to get into a location. */
type Services = Crm | CrmInstalls | Vault | Events | Ids | Transactions

/**
 * A token for a location by its agency. `CrmSignedOut`: the agency does not let us into the location, or nobody lets us
 * into the agency. That a token which was fetched a moment ago is refused is taken for an answer about the location: one
 * location that an agency does not share closes none of the others.
 */
export const grantFromAgency = (
  companyId: string,
  locationId: string
): Effect.Effect<CrmGrant, CrmFailure | StoreUnavailable, Services> =>
  Effect.suspend(() => {
    let refused = false
    return Effect.flatMap(Crm, (crm) =>
      withAccess(agencyTenantId, companyId, (agency) =>
        Effect.mapError(crm.locationGrant(agency, locationId), (failure) => {
          if (failure._tag !== "CrmSignedOut" || !refused) {
            refused ||= failure._tag === "CrmSignedOut"
            return failure
          }
          return new CrmRefused({ reason: failure.reason })
        })
      )
    )
  }).pipe(
    Effect.catchTags({
      CrmRefused: (failure) => Effect.fail(notByAgency(failure)),
      CrmGone: (failure) => Effect.fail(notByAgency(failure)),
      CrmNotInstalled: (failure) => Effect.fail(notByAgency(failure))
    })
  )

const notByAgency = (failure: CrmFailure | CrmNotInstalled): CrmSignedOut =>
  new CrmSignedOut({ reason: `the agency does not let us into the location: ${crmReason(failure)}` })

/** New tokens for an install: by its own refresh token, or by its agency where it has none. */
const nextGrant = (held: CrmInstall): Effect.Effect<CrmGrant, CrmFailure | StoreUnavailable, Services> => {
  const { companyId, locationId, sealedRefresh, tenantId } = held
  const level = tenantId === agencyTenantId ? "agency" : "location"
  if (sealedRefresh !== "")
    return Effect.flatMap(Crm, (crm) => Effect.flatMap(open(held, sealedRefresh), (token) => crm.refresh(token, level)))
  return level === "location" && companyId !== null
    ? grantFromAgency(companyId, locationId)
    : Effect.fail(new CrmSignedOut({ reason: "the token has ended and cannot be renewed" }))
}

/**
 * Fetches new tokens, which nobody else does meanwhile. They are stored before anybody uses them, because the CRM takes the
 * old refresh token no longer. Not interrupted in between: what is lost is what dies with the process, and then the next
 * one tries the old refresh token and, if it is used up, the location has to be installed again.
 */
const renew = Effect.fnUntraced(function* (held: CrmInstall) {
  const answer = yield* Effect.result(nextGrant(held))
  if (Result.isFailure(answer)) {
    const { failure } = answer
    return yield* Effect.fail(failure._tag === "StoreUnavailable" ? failure : yield* renewalFailed(held, failure))
  }
  const next = yield* sealTokens(held, answer.success)
  // Refused when somebody installed or uninstalled the app meanwhile: what counts is what is there now.
  yield* (yield* CrmInstalls).replace(next, held.version)
}, Effect.uninterruptible)

/** The install of a location that lets us in. */
const installOf = Effect.fnUntraced(function* (tenantId: string, locationId: string) {
  const install = yield* (yield* CrmInstalls).get(tenantId, locationId)
  if (install === null || install.status === "uninstalled") return yield* new CrmNotInstalled({ locationId })
  if (install.status === "signed_out")
    return yield* new CrmSignedOut({ reason: install.reason ?? "the app has to be installed again" })
  return install
})

/** Whether an install still has the token that the CRM did not take; it may have been sealed again meanwhile. */
const hasToken = Effect.fnUntraced(function* (install: CrmInstall, refused: Redacted.Redacted | null) {
  return refused !== null && Redacted.value(yield* open(install, install.sealedAccess)) === Redacted.value(refused)
})

/** An install whose access token is good for a while; `refused` is a token that the CRM did not take. */
const freshInstall = Effect.fnUntraced(function* (
  tenantId: string,
  locationId: string,
  refused: Redacted.Redacted | null
) {
  const installs = yield* CrmInstalls
  for (;;) {
    const install = yield* installOf(tenantId, locationId)
    const now = yield* Clock.currentTimeMillis
    const { expiresAt, refreshingUntil, version } = install
    const good = expiresAt > now && !(yield* hasToken(install, refused))
    if (good && expiresAt > now + renewalMillis) return install
    if (refreshingUntil !== null && refreshingUntil > now) {
      if (good) return install
      yield* Effect.sleep(lookMillis)
      continue
    }
    const mine = yield* installs.replace({ ...install, refreshingUntil: now + renewalLeaseMillis }, version)
    if (!mine) continue
    const renewed = renew({ ...install, refreshingUntil: now + renewalLeaseMillis, version: version + 1 })
    // The old token is good for minutes yet: the CRM being away for the new one keeps nobody from work.
    yield* good ? Effect.catchTag(renewed, "CrmUnavailable", () => Effect.void) : renewed
    if (good) return yield* installOf(tenantId, locationId)
  }
})

/**
 * Asks the CRM about a location with a token that is good. One that ends soon, or that the CRM does not take, is replaced
 * first, once however many ask and on however many servers; a call that was refused for its token is made again with
 * the new one. Fails with `CrmNotInstalled` or `CrmSignedOut` where nobody lets us in. Never inside a unit of work.
 */
export const withAccess = Effect.fn("withAccess")(function* <A, E, R>(
  tenantId: string,
  locationId: string,
  call: (access: CrmAccess) => Effect.Effect<A, E | CrmSignedOut, R>
) {
  const enter = Effect.fnUntraced(function* (refused: Redacted.Redacted | null) {
    const install = yield* freshInstall(tenantId, locationId, refused)
    const token = yield* open(install, install.sealedAccess)
    const answer = yield* Effect.result(call({ locationId, token }))
    return { install, token, answer }
  })
  const first = yield* enter(null)
  if (Result.isSuccess(first.answer)) return first.answer.success
  if (!(first.answer.failure instanceof CrmSignedOut)) return yield* Effect.fail(first.answer.failure)
  const second = yield* enter(first.token)
  if (Result.isSuccess(second.answer)) return second.answer.success
  if (second.answer.failure instanceof CrmSignedOut) yield* markSignedOut(second.install, second.answer.failure.reason)
  return yield* Effect.fail(second.answer.failure)
})
