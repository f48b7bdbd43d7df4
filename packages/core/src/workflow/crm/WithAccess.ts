import { Clock, Effect, Redacted, Result } from "effect"
import { Crm } from "../../port/provider/Crm.ts"
import { CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { Vault } from "../../port/system/Vault.ts"
import { ProviderFailure, refused, signedOut, unavailable } from "../../domain/provider/ProviderFailure.ts"
import type { CrmAccess, CrmGrant } from "../../domain/crm/CrmGrant.ts"
import { type CrmInstall, CrmNotInstalled, crmSealContext, agencyTenantId } from "../../domain/crm/Location.ts"
import { behaviorAfter } from "../../domain/provider/ProviderBehavior.ts"
import { markSignedOut } from "./MarkSignedOut.ts"
import { withSpan } from "../WithSpan.ts"

/** The time before their expiry at which tokens are renewed, so that a request that has started can finish. */
export const renewalMillis = 5 * 60_000

/** The lease for a token renewal. It is longer than the timeout of requests to the CRM. */
export const renewalLeaseMillis = 60_000

/** The interval at which a request checks whether another request has renewed the token. */
const lookMillis = 200

/** Returns the installation with new tokens in sealed form. */
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

/** Opens a sealed token. A token that cannot be opened is treated as rejected by the CRM. */
const open = ({ locationId, tenantId }: CrmInstall, sealed: string) =>
  Effect.flatMap(Vault, (vault) => vault.open(sealed, crmSealContext(tenantId, locationId))).pipe(
    Effect.map((token) => Redacted.make(token, { label: "token of the CRM" })),
    Effect.mapError(({ reason }) => signedOut("crm", `the stored token cannot be read: ${reason}`))
  )

type SignedOut = ProviderFailure & { readonly reason: { readonly _tag: "SignedOut" } }

const isSignedOut = (failure: unknown): failure is SignedOut =>
  failure instanceof ProviderFailure && failure.reason._tag === "SignedOut"

/**
 * Handles a failed token renewal. If the CRM has revoked the access, marks the installation as signed out. Otherwise
 * returns the failure, and the next request tries again.
 */
const renewalFailed = Effect.fnUntraced(function* (held: CrmInstall, failure: ProviderFailure | CrmNotInstalled) {
  if (isSignedOut(failure)) {
    yield* markSignedOut(held, failure.message)
    return failure
  }
  yield* (yield* CrmInstalls).replace({ ...held, refreshingUntil: null }, held.version)
  // It is unknown whether the refresh token was consumed; the next renewal shows it. The request itself was not sent,
  // so it may be retried.
  return failure._tag === "ProviderFailure" && failure.reason._tag === "OutcomeUnknown"
    ? unavailable("crm", failure.message)
    : failure
})

/** The services that access to a location needs. */
type Services = Crm | CrmInstalls | Vault | Effect.Services<ReturnType<typeof markSignedOut>>

/**
 * Requests a token for a location from its agency. Fails with `SignedOut` when the agency does not authorise the
 * location, or is itself signed out. If the CRM rejects a new agency token, only this location counts as not
 * authorised. A location that the agency does not share therefore cannot close the agency's other locations.
 */
export const grantFromAgency = (
  companyId: string,
  locationId: string
): Effect.Effect<CrmGrant, ProviderFailure | StoreUnavailable, Services> =>
  Effect.suspend(() => {
    let rejected = false
    return Effect.flatMap(Crm, (crm) =>
      withAccess(agencyTenantId, companyId, (agency) =>
        Effect.mapError(crm.locationGrant(agency, locationId), (failure) => {
          if (!isSignedOut(failure)) return failure
          if (rejected) return refused("crm", failure.message)
          rejected = true
          return failure
        })
      )
    )
  }).pipe(
    Effect.mapError((failure) => {
      const byAgency = failure._tag === "ProviderFailure" && behaviorAfter(failure) !== "give_up"
      if (failure._tag === "StoreUnavailable" || byAgency) return failure
      return signedOut("crm", `the agency does not authorise the location: ${failure.message}`)
    })
  )

/** Requests new tokens for an installation, with its own refresh token or from its agency. */
const nextGrant = (held: CrmInstall): Effect.Effect<CrmGrant, ProviderFailure | StoreUnavailable, Services> => {
  const { companyId, locationId, sealedRefresh, tenantId } = held
  const level = tenantId === agencyTenantId ? "agency" : "location"
  if (sealedRefresh !== "")
    return Effect.flatMap(Crm, (crm) => Effect.flatMap(open(held, sealedRefresh), (token) => crm.refresh(token, level)))
  return level === "location" && companyId !== null
    ? grantFromAgency(companyId, locationId)
    : Effect.fail(signedOut("crm", "the token has expired and cannot be renewed"))
}

/**
 * Renews the tokens of an installation under a lease. New tokens are stored before they are used, because the CRM no
 * longer accepts the old refresh token. The renewal is uninterruptible, so only a crash can lose the new tokens. After
 * a crash, the next renewal uses the old refresh token. If the CRM has already consumed it, the app must be installed
 * again.
 */
const renew = Effect.fnUntraced(function* (held: CrmInstall) {
  const answer = yield* Effect.result(nextGrant(held))
  if (Result.isFailure(answer)) {
    const { failure } = answer
    return yield* Effect.fail(failure._tag === "StoreUnavailable" ? failure : yield* renewalFailed(held, failure))
  }
  const next = yield* sealTokens(held, answer.success)
  // Nothing is replaced when the app was installed or uninstalled meanwhile. The stored state is then used.
  yield* (yield* CrmInstalls).replace(next, held.version)
}, Effect.uninterruptible)

/** Returns the installation in a location, if this server has access to it. */
const installOf = Effect.fnUntraced(function* (tenantId: string, locationId: string) {
  const install = yield* (yield* CrmInstalls).get(tenantId, locationId)
  if (install === null || install.status === "uninstalled") return yield* new CrmNotInstalled({ locationId })
  if (install.status === "signed_out")
    return yield* signedOut("crm", install.reason ?? "the app has to be installed again")
  return install
})

/**
 * Returns whether the installation still has the token that the CRM rejected. The plain tokens are compared, because a
 * token may have been sealed again.
 */
const hasToken = Effect.fnUntraced(function* (install: CrmInstall, refused: Redacted.Redacted | null) {
  return refused !== null && Redacted.value(yield* open(install, install.sealedAccess)) === Redacted.value(refused)
})

/** Returns an installation with a valid access token. `refused` is a token that the CRM has rejected. */
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
    // The old token is still valid for minutes, so the request does not fail if the CRM is unavailable.
    yield* good ? Effect.catchReason(renewed, "ProviderFailure", "Unavailable", () => Effect.void) : renewed
    if (good) return yield* installOf(tenantId, locationId)
  }
})

/**
 * Sends a request to the CRM with a valid token for a location. Renews a token that expires soon, or that the CRM
 * rejects. All concurrent requests, on all servers, share one renewal. Repeats a request that was rejected because of
 * its token. Fails with `CrmNotInstalled` or `SignedOut` if this server has no access. Must run outside a unit of work.
 */
export const withAccess = Effect.fnUntraced(function* <A, E, R>(
  tenantId: string,
  locationId: string,
  call: (access: CrmAccess) => Effect.Effect<A, E | ProviderFailure, R>
) {
  const enter = Effect.fnUntraced(function* (refused: Redacted.Redacted | null) {
    const install = yield* freshInstall(tenantId, locationId, refused)
    const token = yield* open(install, install.sealedAccess)
    const answer = yield* Effect.result(call({ locationId, token }))
    return { install, token, answer }
  })
  const first = yield* enter(null)
  if (Result.isSuccess(first.answer)) return first.answer.success
  if (!isSignedOut(first.answer.failure)) return yield* Effect.fail(first.answer.failure)
  const second = yield* enter(first.token)
  if (Result.isSuccess(second.answer)) return second.answer.success
  if (isSignedOut(second.answer.failure)) yield* markSignedOut(second.install, second.answer.failure.message)
  return yield* Effect.fail(second.answer.failure)
}, withSpan("withAccess"))
