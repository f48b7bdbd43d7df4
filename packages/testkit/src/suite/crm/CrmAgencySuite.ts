import { kindOf } from "../../FailureKind.ts"
import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { accessSeconds, type CrmInMemory } from "../../memory/Crm.ts"
import { assert, describe } from "@effect/vitest"
import {
  agencyLocations,
  finishAgencyInstall,
  removeAgency,
  startAgencyInstall
} from "@leadloom/core/internal/workflow/crm/Agency"
import { openLocationId } from "@leadloom/core/internal/domain/crm/CrmJob"
import { agencyTenantId } from "@leadloom/core/internal/domain/crm/Location"
import { finishInstall, setSync, startInstall } from "@leadloom/core/internal/workflow/crm/Install"
import { mapLocation } from "@leadloom/core/internal/workflow/crm/Locations"
import { receiveCrmEvent } from "@leadloom/core/internal/workflow/crm/ReceiveCrmEvent"
import { withAccess } from "@leadloom/core/internal/workflow/crm/WithAccess"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import { CrmInstalls } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { createTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { Effect, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainJobs, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const agency = "agency-1"
const principal = "admin"

/** Returns the URL to which the CRM redirects the browser. */
const comingBack = (crm: CrmInMemory, url: string, id: string) => {
  const code = `code-${++crm.counter}`
  crm.codes.set(code, id)
  return { principal, code, state: new URL(url).searchParams.get("state") ?? assert.fail("no state") }
}

/** An agency installs the app for these locations. */
const installApp = Effect.fnUntraced(function* (crm: CrmInMemory, locations: ReadonlyArray<string>, id = agency) {
  crm.agencies.set(id, new Set(locations))
  const { url } = yield* startAgencyInstall(principal)
  return yield* finishAgencyInstall(comingBack(crm, url, id))
})

const map = (locationId: string, tenantId = "acme") => mapLocation({ locationId, tenantId, sessions: "off" })

const installOf = (locationId: string, tenantId = "acme") =>
  Effect.flatMap(CrmInstalls, (installs) => installs.get(tenantId, locationId))

/** Requests a contact of a location, with any valid token. */
const requestAbout = (locationId: string, tenantId = "acme") =>
  Effect.flatMap(Crm, ({ findContact }) =>
    withAccess(tenantId, locationId, (access) => findContact(access, { email: "jo@customer.example" }))
  )

const failureOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(effect), (result) => (Result.isFailure(result) ? result.failure : assert.fail("it worked")))

const opening = (store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")
  scene("an agency opens only its mapped locations, each for its tenant", ({ crm }) =>
    Effect.gen(function* () {
      yield* acme.open()
      yield* createTenant({ tenantId: "other", name: "Other", domain: "other.com", preset: null, hipaa: false })
      yield* map("loc-1")
      yield* map("loc-2", "other")
      yield* map("loc-elsewhere")
      const installed = yield* installApp(crm, ["loc-1", "loc-2", "loc-3"])
      assert.deepStrictEqual([installed.tenantId, installed.locationId], [agencyTenantId, agency])
      yield* drainJobs
      assert.deepInclude(yield* installOf("loc-1"), { status: "installed", companyId: agency, sync: "off" })
      assert.deepInclude(yield* installOf("loc-2", "other"), { status: "installed", companyId: agency })
      assert.isNull(yield* installOf("loc-elsewhere"))
      assert.isNull(yield* installOf("loc-3"))
      assert.isNull(yield* requestAbout("loc-2", "other"))
      assert.deepStrictEqual(yield* agencyLocations(agency, 2, 1), [
        { locationId: "loc-2", name: "Name of loc-2", installed: true, tenantId: "other" },
        { locationId: "loc-3", name: "Name of loc-3", installed: true, tenantId: null }
      ])
      assert.strictEqual((yield* failureOf(agencyLocations("probeCode", 2, 0)))._tag, "AgencyNotFound")
      assert.strictEqual(yield* (yield* Jobs).backlog, 0)
    })
  )

  scene("a location opens when it is mapped, or when the app is added to it later", ({ crm }) =>
    Effect.gen(function* () {
      yield* acme.open()
      yield* installApp(crm, ["loc-1"])
      yield* map("loc-1")
      yield* map("loc-2")
      yield* drainJobs
      assert.strictEqual((yield* installOf("loc-1"))?.status, "installed")
      assert.isNull(yield* installOf("loc-2"))
      crm.agencies.get(agency)?.add("loc-2")
      yield* receiveCrmEvent("n1", { _tag: "Installed", locationId: "loc-2" })
      crm.failure = ProviderFailure.unavailable("crm", "503", { retryAfterMillis: 10_000 })
      yield* drainJobs
      crm.failure = null
      yield* TestClock.adjust(10_000)
      yield* drainJobs
      assert.strictEqual((yield* installOf("loc-2"))?.status, "installed")
      const calls = crm.calls.length
      yield* receiveCrmEvent("n2", { _tag: "Installed", locationId: "loc-2" })
      yield* drainJobs
      assert.lengthOf(crm.calls, calls)
    })
  )

  scene("a location installed by its owner keeps that install, and without an agency no request is made", ({ crm }) =>
    Effect.gen(function* () {
      yield* acme.open()
      const { url } = yield* startInstall("acme", principal)
      yield* finishInstall({ ...comingBack(crm, url, "loc-1"), tenantId: "acme" })
      yield* receiveCrmEvent("n1", { _tag: "Installed", locationId: "loc-1" })
      assert.strictEqual(yield* (yield* Jobs).backlog, 0)
      yield* installApp(crm, ["loc-1"], "company-1")
      yield* drainJobs
      const before = yield* installOf("loc-1")
      assert.notStrictEqual(before?.sealedRefresh, "")
      yield* removeAgency("company-1")
      yield* drainJobs
      assert.deepStrictEqual(yield* installOf("loc-1"), before)
    })
  )

  scene("a sign-in for a single location, or with the state of another sign-in, connects no agency", ({ crm }) =>
    Effect.gen(function* () {
      yield* acme.open()
      const { url } = yield* startAgencyInstall(principal)
      const back = comingBack(crm, url, "loc-1")
      assert.strictEqual(
        (yield* failureOf(finishAgencyInstall({ ...back, principal: "x" })))._tag,
        "CrmCallbackInvalid"
      )
      assert.strictEqual((yield* failureOf(finishInstall({ ...back, tenantId: "acme" })))._tag, "CrmCallbackInvalid")
      assert.strictEqual(kindOf(yield* failureOf(finishAgencyInstall(back))), "Refused")
      assert.deepStrictEqual(yield* (yield* CrmInstalls).list(agencyTenantId), [])
    })
  )
}

const renewing = (store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")
  scene("tokens of locations come from the agency's token, which is refreshed once", ({ crm }) =>
    Effect.gen(function* () {
      yield* acme.open()
      yield* map("loc-1")
      yield* map("loc-2")
      yield* installApp(crm, ["loc-1", "loc-2"])
      yield* drainJobs
      yield* TestClock.adjust((accessSeconds + 5) * 1_000)
      const refreshes = () => crm.calls.filter((name) => name === "refresh").length
      assert.strictEqual(refreshes(), 0)
      yield* requestAbout("loc-1")
      yield* requestAbout("loc-2")
      yield* requestAbout("loc-1")
      assert.strictEqual(refreshes(), 1)
      assert.strictEqual(crm.calls.filter((name) => name === "locationGrant").length, 4)
    })
  )

  scene("a location that the agency no longer shares is signed out, and the others stay open", ({ crm }) =>
    Effect.gen(function* () {
      yield* acme.open()
      yield* map("loc-1")
      yield* map("loc-2")
      yield* installApp(crm, ["loc-1", "loc-2"])
      yield* drainJobs
      crm.agencies.get(agency)?.delete("loc-1")
      crm.accessTokens.clear()
      const failure = yield* failureOf(requestAbout("loc-1"))
      assert.strictEqual(kindOf(failure), "SignedOut")
      assert.strictEqual((yield* installOf("loc-1"))?.status, "signed_out")
      assert.strictEqual((yield* installOf(agency, agencyTenantId))?.status, "installed")
      assert.isNull(yield* requestAbout("loc-2"))
      assert.deepStrictEqual(
        (yield* acme.events()).map(({ data, type }) => [type, data["location_id"]]),
        [["crm.signed_out", "loc-1"]]
      )
    })
  )

  scene("an agency that signs out closes its locations, and opens them again later", ({ crm }) =>
    Effect.gen(function* () {
      yield* acme.open()
      yield* map("loc-1")
      yield* installApp(crm, ["loc-1"])
      yield* drainJobs
      yield* setSync("acme", "loc-1", "both")
      crm.accessTokens.clear()
      crm.refreshTokens.clear()
      yield* failureOf(requestAbout("loc-1"))
      assert.strictEqual((yield* installOf("loc-1"))?.status, "signed_out")
      assert.strictEqual((yield* installOf(agency, agencyTenantId))?.status, "signed_out")
      yield* installApp(crm, ["loc-1"])
      yield* drainJobs
      assert.deepInclude(yield* installOf("loc-1"), { status: "installed", sync: "both", reason: null })
      assert.isNull(yield* requestAbout("loc-1"))
    })
  )
}

const leaving = (store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")
  scene("an agency that removes the app closes its locations, even if its event arrives again later", ({ crm }) =>
    Effect.gen(function* () {
      yield* acme.open()
      yield* map("loc-1")
      yield* installApp(crm, ["loc-1"])
      yield* drainJobs
      const gone = { _tag: "AgencyUninstalled", companyId: agency } as const
      yield* receiveCrmEvent("n1", { ...gone, companyId: "probeCode" })
      yield* receiveCrmEvent("n2", gone)
      assert.isAbove(yield* (yield* Jobs).waiting("acme", openLocationId("loc-1")), 0)
      yield* drainJobs
      assert.deepInclude(yield* installOf("loc-1"), { status: "uninstalled", sealedAccess: "" })
      assert.deepInclude(yield* installOf(agency, agencyTenantId), { status: "uninstalled", sealedRefresh: "" })
      yield* installApp(crm, ["loc-1"])
      yield* drainJobs
      yield* receiveCrmEvent("n2", gone)
      yield* drainJobs
      assert.strictEqual((yield* installOf("loc-1"))?.status, "installed")
    })
  )

  scene("its tokens are sealed for the agency, and for no tenant", ({ crm }) =>
    Effect.gen(function* () {
      yield* acme.open()
      const { sealedAccess } = yield* installApp(crm, [])
      assert.include(sealedAccess, `"crm::${agency}"`)
      const token = yield* withAccess(agencyTenantId, agency, (access) => Effect.succeed(Redacted.value(access.token)))
      assert.strictEqual(crm.accessTokens.get(token), agency)
    })
  )
}

/** Tests installs of a whole agency on a store. */
export const crmAgencySuite = (name: string, store: StoreLayer): void => {
  describe(`An agency's locations on ${name}`, () => {
    opening(store)
    renewing(store)
    leaving(store)
  })
}
