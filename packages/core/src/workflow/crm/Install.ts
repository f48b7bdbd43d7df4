import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { Base64Url } from "effect/encoding"
import { signInMillis, hashState } from "../mailbox/OAuthSignIn.ts"
import { Crm } from "../../port/provider/Crm.ts"
import { CrmInstalls, CrmLocations } from "../../port/repository/crm/CrmLocations.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { SignIns } from "../../port/repository/conversation/Grants.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { refused } from "../../domain/provider/ProviderFailure.ts"
import type { CrmGrant, GrantLevel } from "../../domain/crm/CrmGrant.ts"
import { type CrmInstall, CrmInstallNotFound, LocationTaken, type SyncMode } from "../../domain/crm/Location.ts"
import { startFirstSync } from "./StartFirstSync.ts"
import { sealTokens } from "./WithAccess.ts"
import { withSpan } from "../WithSpan.ts"

/** The authorisation callback is invalid. `field` names the invalid query parameter. */
export class CrmCallbackInvalid extends TaggedError("CrmCallbackInvalid")<{
  readonly field: "state" | "code"
  readonly reason: string
}> {}

/** Contacts of a HIPAA tenant must not be sent to a CRM. */
export class CrmSyncForbidden extends TaggedError("CrmSyncForbidden")<{}> {}

/** Hashes the state of an authorisation. The prefix distinguishes it from the states of `startSignIn`. */
const hashOf = (state: string): string => hashState(`crm ${state}`)

/**
 * Returns the URL of the page on which the owner of a location authorises this server. The callback is valid once, for
 * ten minutes, and only for this tenant and principal (RFC 6749 section 10.12).
 */
export const startInstall = Effect.fnUntraced(function* (tenantId: string, principal: string) {
  yield* (yield* Crm).configured
  yield* (yield* Tenants).get(tenantId)
  return yield* startAuthorization(tenantId, principal, "location")
}, withSpan("startInstall"))

/** Starts an authorisation at the CRM, and returns the URL of its page. */
export const startAuthorization = Effect.fnUntraced(function* (tenantId: string, principal: string, level: GrantLevel) {
  const crm = yield* Crm
  const state = Base64Url.encode((yield* Randomness).bytes(32))
  const url = yield* crm.authorizeUrl(state, level)
  const now = yield* Clock.currentTimeMillis
  const signIn = { tenantId, stateHash: hashOf(state), principal, expiresAt: now + signInMillis, sealed: null }
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.flatMap(SignIns, (signIns) => signIns.begin(signIn, now))
  )
  return { url, expiresAt: signIn.expiresAt }
})

/**
 * Assigns the location to the tenant. Fails with `LocationTaken` when it belongs to another tenant. Runs inside a unit
 * of work.
 */
const claim = Effect.fnUntraced(function* (tenantId: string, locationId: string, now: number) {
  const locations = yield* CrmLocations
  const mapped = yield* locations.find(locationId)
  if (mapped !== null && mapped.tenantId !== tenantId) return yield* new LocationTaken({ locationId })
  if (mapped === null) yield* locations.put({ locationId, tenantId, sessions: "off", createdAt: now, updatedAt: now })
})

/** Stores the tokens of an installation. An existing installation keeps its settings. Runs inside a unit of work. */
export const storeTokens = Effect.fnUntraced(function* (tenantId: string, locationId: string, grant: CrmGrant) {
  const installs = yield* CrmInstalls
  const now = yield* Clock.currentTimeMillis
  const there = yield* installs.get(tenantId, locationId)
  const blank: CrmInstall = {
    tenantId,
    locationId,
    companyId: null,
    sync: "off",
    status: "installed",
    sealedAccess: "",
    sealedRefresh: "",
    expiresAt: 0,
    scopes: [],
    version: 1,
    refreshingUntil: null,
    reason: null,
    installedAt: now,
    updatedAt: now
  }
  const install = yield* sealTokens({ ...(there ?? blank), installedAt: now }, grant)
  if (there === null) yield* installs.insert(install)
  else yield* installs.replace(install, there.version)
  // The CRM reported no changes while this server had no access, so all contacts are compared again.
  yield* startFirstSync(install)
  return there === null ? install : { ...install, version: there.version + 1 }
})

/** Stores the tokens of a location and assigns it to the tenant. Runs inside a unit of work. */
export const storeGrant = Effect.fnUntraced(function* (tenantId: string, locationId: string, grant: CrmGrant) {
  yield* claim(tenantId, locationId, yield* Clock.currentTimeMillis)
  return yield* storeTokens(tenantId, locationId, grant)
})

/** The parameters of the authorisation callback and its caller. */
export interface AuthorizationCallback {
  readonly tenantId: string
  readonly principal: string
  readonly code: string
  readonly state: string
}

/**
 * Completes the installation in the location that its owner has chosen, and assigns the location to the tenant. The
 * location comes from the CRM's response, never from the request. The state is consumed before the code is exchanged. A
 * second installation in the same location renews the tokens.
 */
export const finishInstall = Effect.fnUntraced(function* (back: AuthorizationCallback) {
  const { tenantId } = back
  const grant = yield* finishAuthorization(back, "location")
  const { locationId } = grant
  if (locationId === null)
    return yield* refused("crm", "the app was installed for the whole agency; install it again and choose one location")
  return yield* (yield* Transactions).atomically(tenantId, storeGrant(tenantId, locationId, grant))
}, withSpan("finishInstall"))

/** Completes an authorisation at the CRM. The state is consumed even if the exchange of the code fails. */
export const finishAuthorization = Effect.fnUntraced(function* (
  { code, principal, state, tenantId }: AuthorizationCallback,
  level: GrantLevel
) {
  const crm = yield* Crm
  yield* crm.configured
  const { atomically } = yield* Transactions
  const now = yield* Clock.currentTimeMillis
  const way = { tenantId, principal, stateHash: hashOf(state) }
  const ended = yield* atomically(
    tenantId,
    Effect.flatMap(SignIns, (signIns) => signIns.end(way, now))
  )
  if (ended === null)
    return yield* new CrmCallbackInvalid({
      field: "state",
      reason: "the state is unknown, already used, or older than ten minutes"
    })
  return yield* crm
    .exchangeCode(code, level)
    .pipe(
      Effect.catchReason("ProviderFailure", "Refused", ({ detail }) =>
        Effect.fail(new CrmCallbackInvalid({ field: "code", reason: detail }))
      )
    )
})

/**
 * Returns the installation in a location of a tenant. Fails with `CrmInstallNotFound` if the app is not installed or
 * was uninstalled. Runs inside a unit of work.
 */
const requireInstall = Effect.fnUntraced(function* (tenantId: string, locationId: string) {
  const install = yield* (yield* CrmInstalls).get(tenantId, locationId)
  if (install === null || install.status === "uninstalled") return yield* new CrmInstallNotFound({ locationId })
  return install
})

/** Sets the synchronisation mode of a location. A change of the mode starts a new first sync. */
export const setSync = Effect.fnUntraced(function* (tenantId: string, locationId: string, sync: SyncMode) {
  const { hipaa } = yield* (yield* Tenants).get(tenantId)
  if (hipaa && sync !== "off") return yield* new CrmSyncForbidden()
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const install = yield* requireInstall(tenantId, locationId)
      const next = { ...install, sync, updatedAt: now }
      yield* (yield* CrmInstalls).replace(next, install.version)
      if (sync !== install.sync) yield* startFirstSync(next)
      return next
    })
  )
}, withSpan("setSync"))

/**
 * Deletes the tokens of a location. Its links stay, so that a new installation can continue with them. Runs inside a
 * unit of work.
 */
export const endInstall = Effect.fnUntraced(function* (install: CrmInstall) {
  const now = yield* Clock.currentTimeMillis
  const ended: CrmInstall = {
    ...install,
    status: "uninstalled",
    sealedAccess: "",
    sealedRefresh: "",
    refreshingUntil: null,
    updatedAt: now
  }
  yield* (yield* CrmInstalls).replace(ended, install.version)
})

/**
 * Disconnects a location. This server then sends no more requests for it. The app itself must be removed in the CRM.
 */
export const uninstall = Effect.fnUntraced(function* (tenantId: string, locationId: string) {
  yield* (yield* Transactions).atomically(tenantId, Effect.flatMap(requireInstall(tenantId, locationId), endInstall))
}, withSpan("uninstall"))
