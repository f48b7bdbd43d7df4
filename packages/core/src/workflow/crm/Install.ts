import { Clock, Data, Effect } from "effect"
import { Base64Url } from "effect/encoding"
import { signInMillis, hashState } from "../mailbox/StartSignIn.ts"
import { Crm } from "../../port/provider/Crm.ts"
import { CrmInstalls, CrmLocations } from "../../port/repository/crm/CrmLocations.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { SignIns } from "../../port/repository/conversation/Grants.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { CrmRefused } from "../../domain/crm/CrmFailure.ts"
import type { CrmGrant, GrantLevel } from "../../domain/crm/CrmGrant.ts"
import { type CrmInstall, CrmInstallNotFound, LocationTaken, type SyncMode } from "../../domain/crm/Location.ts"
import { startFirstSync } from "./StartFirstSync.ts"
import { sealTokens } from "./WithAccess.ts"

/** The way to the CRM and back was not gone as it was begun; `field` is the one of the request that says so. */
export class CrmCallbackInvalid extends Data.TaggedError("CrmCallbackInvalid")<{
  readonly field: "state" | "code"
  readonly reason: string
}> {}

/** Contacts of a HIPAA tenant are not shown to a CRM. */
export class CrmSyncForbidden extends Data.TaggedError("CrmSyncForbidden")<{}> {}

/** A secret that was made for this way, and for no other (`startSignIn` has its own). */
const hashOf = (state: string): string => hashState(`crm ${state}`)

/**
 * Where the owner of a location lets this server in. What comes back with the code names this tenant and this caller, is
 * good once and for ten minutes (RFC 6749 section 10.12).
 */
export const startInstall = Effect.fn("startInstall")(function* (tenantId: string, principal: string) {
  yield* (yield* Crm).configured
  yield* (yield* Tenants).get(tenantId)
  return yield* startAuthorization(tenantId, principal, "location")
})

/** Begins a way to the CRM and back. */
export const startAuthorization = Effect.fnUntraced(function* (tenantId: string, principal: string, level: GrantLevel) {
  const crm = yield* Crm
  const state = Base64Url.encode((yield* Randomness).bytes(32))
  const url = yield* crm.authorizeUrl(state, level)
  const now = yield* Clock.currentTimeMillis
  const signIn = { tenantId, stateHash: hashOf(state), principal, expiresAt: now + signInMillis }
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.flatMap(SignIns, (signIns) => signIns.begin(signIn, now))
  )
  return { url, expiresAt: signIn.expiresAt }
})

/** The location is this tenant's from now on, unless it is another's. Runs inside a unit of work. */
const claim = Effect.fnUntraced(function* (tenantId: string, locationId: string, now: number) {
  const locations = yield* CrmLocations
  const mapped = yield* locations.find(locationId)
  if (mapped !== null && mapped.tenantId !== tenantId) return yield* new LocationTaken({ locationId })
  if (mapped === null) yield* locations.put({ locationId, tenantId, sessions: "off", createdAt: now, updatedAt: now })
})

/** Keeps tokens; an install that was there keeps what was set of it. Runs inside a unit of work. */
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
  // What changed while nobody let us in was not told.
  yield* startFirstSync(install)
  return there === null ? install : { ...install, version: there.version + 1 }
})

/** Keeps the tokens of a location, which is this tenant's from then on. Runs inside a unit of work. */
export const storeGrant = Effect.fnUntraced(function* (tenantId: string, locationId: string, grant: CrmGrant) {
  yield* claim(tenantId, locationId, yield* Clock.currentTimeMillis)
  return yield* storeTokens(tenantId, locationId, grant)
})

/** What somebody came back with from the CRM, and who brings it. */
export interface AuthorizationCallback {
  readonly tenantId: string
  readonly principal: string
  readonly code: string
  readonly state: string
}

/**
 * Lets this server into the location that its owner chose, and makes it this tenant's. Which one it is the CRM says, never
 * the request. The way is used up before the code is exchanged; coming again brings new tokens.
 */
export const finishInstall = Effect.fn("finishInstall")(function* (back: AuthorizationCallback) {
  const { tenantId } = back
  const grant = yield* finishAuthorization(back, "location")
  const { locationId } = grant
  if (locationId === null)
    return yield* new CrmRefused({ reason: "the app was installed for the agency as a whole: choose one location" })
  return yield* (yield* Transactions).atomically(tenantId, storeGrant(tenantId, locationId, grant))
})

/** Ends the way to the CRM and back, which is used up by it whatever comes of it. */
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
  if (!ended)
    return yield* new CrmCallbackInvalid({
      field: "state",
      reason: "it is unknown here, used or older than ten minutes"
    })
  return yield* crm
    .exchangeCode(code, level)
    .pipe(Effect.catchTag("CrmRefused", ({ reason }) => new CrmCallbackInvalid({ field: "code", reason })))
})

/** An install of a tenant that is not over. Runs inside a unit of work. */
const requireInstall = Effect.fnUntraced(function* (tenantId: string, locationId: string) {
  const install = yield* (yield* CrmInstalls).get(tenantId, locationId)
  if (install === null || install.status === "uninstalled") return yield* new CrmInstallNotFound({ locationId })
  return install
})

/** Says what happens to contacts of a location from now on; those that are there are brought together when it changes. */
export const setSync = Effect.fn("setSync")(function* (tenantId: string, locationId: string, sync: SyncMode) {
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
})

/** Forgets the tokens of a location; runs inside a unit of work. Its links stay: who installs it again goes on. */
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

/** Lets go of a location: nothing is asked or told there any more. The app itself is taken away in the CRM. */
export const uninstall = Effect.fn("uninstall")(function* (tenantId: string, locationId: string) {
  yield* (yield* Transactions).atomically(tenantId, Effect.flatMap(requireInstall(tenantId, locationId), endInstall))
})
