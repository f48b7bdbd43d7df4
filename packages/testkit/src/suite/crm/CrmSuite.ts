import { assert, layer } from "@effect/vitest"
import { type CrmLink, noFields } from "@leadloom/core/internal/domain/crm/CrmContact"
import type { CrmInstall } from "@leadloom/core/internal/domain/crm/Location"
import { type FirstSync, noCounts } from "@leadloom/core/internal/domain/crm/FirstSync"
import { CrmFirstSyncs, CrmInstalls } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { CrmLinks } from "@leadloom/core/internal/port/repository/crm/CrmLinks"
import { Effect } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant, idOf, noon } from "../Records.ts"

const installRecord = (tenantId: string, changes: Partial<CrmInstall> = {}): CrmInstall => ({
  tenantId,
  locationId: "ve9EPM428h8vShlRW1KT",
  companyId: null,
  sync: "both",
  status: "installed",
  sealedAccess: "sealed access",
  sealedRefresh: "sealed refresh",
  expiresAt: noon + 86_399_000,
  scopes: ["contacts.write"],
  version: 1,
  refreshingUntil: null,
  reason: null,
  installedAt: noon,
  updatedAt: noon,
  ...changes
})

const linkRecord = (tenantId: string, changes: Partial<CrmLink> = {}): CrmLink => ({
  tenantId,
  locationId: "loc",
  crmContactId: "ocQHyuzHvysMo5N5VsXc",
  contactId: idOf("con", 1),
  ours: { ...noFields, name: "Jö", tags: ["VIP"] },
  theirs: { ...noFields, name: "Jö", tags: ["vip"] },
  sending: null,
  version: 1,
  goneAt: null,
  createdAt: noon,
  updatedAt: noon,
  ...changes
})

const firstSyncRecord = (tenantId: string, changes: Partial<FirstSync> = {}): FirstSync => ({
  tenantId,
  locationId: "loc",
  state: "running",
  step: "theirs",
  cursor: '[1603870249758,"ü"]',
  total: 1_000,
  counts: { ...noCounts, theirs: 50, created: 9 },
  reason: null,
  version: 1,
  startedAt: noon,
  updatedAt: noon,
  finishedAt: null,
  ...changes
})

/** Tests the ports `CrmInstalls`, `CrmFirstSyncs` and `CrmLinks` on a store. */
export const crmSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Installs and links of a CRM on ${name}`, (it) => {
    it.effect("keeps installs apart by tenant, and lists them oldest first", () =>
      Effect.gen(function* () {
        const installs = yield* CrmInstalls
        const [one, other] = [freshTenant(), freshTenant()]
        const newer = installRecord(one, { locationId: "a", installedAt: noon + 1 })
        yield* installs.insert(newer)
        yield* installs.insert(installRecord(one))
        yield* installs.insert(installRecord(other, { companyId: "agency", reason: "why", refreshingUntil: noon }))
        assert.deepStrictEqual(yield* installs.list(one), [installRecord(one), newer])
        const found = yield* installs.get(other, "ve9EPM428h8vShlRW1KT")
        assert.deepStrictEqual(
          found,
          installRecord(other, { companyId: "agency", reason: "why", refreshingUntil: noon })
        )
        assert.isNull(yield* installs.get(other, "a"))
        assert.isTrue(yield* installs.remove(one, "a"))
        assert.isFalse(yield* installs.remove(one, "a"))
        assert.lengthOf(yield* installs.list(one), 1)
      })
    )

    it.effect("replaces an install only if its version is the version that was read", () =>
      Effect.gen(function* () {
        const installs = yield* CrmInstalls
        const tenantId = freshTenant()
        const install = installRecord(tenantId)
        yield* installs.insert(install)
        const attempts = Array.from({ length: 8 }, (_, index) =>
          installs.replace({ ...install, refreshingUntil: noon + index }, 1)
        )
        const taken = yield* Effect.all(attempts, { concurrency: "unbounded" })
        assert.lengthOf(taken.filter(Boolean), 1)
        const after = yield* installs.get(tenantId, install.locationId)
        assert.strictEqual(after?.version, 2)
        assert.strictEqual(after?.refreshingUntil, noon + taken.indexOf(true))
        assert.isFalse(yield* installs.replace({ ...install, locationId: "another" }, 1))
      })
    )

    it.effect(
      "stores the progress of a location, and replaces it only if its version is the version that was read",
      () =>
        Effect.gen(function* () {
          const firstSyncs = yield* CrmFirstSyncs
          const [one, other] = [freshTenant(), freshTenant()]
          const [firstSync, blank] = [firstSyncRecord(one), firstSyncRecord(other, { cursor: null, total: null })]
          yield* firstSyncs.insert(firstSync)
          yield* firstSyncs.insert(blank)
          assert.deepStrictEqual(yield* firstSyncs.get(one, "loc"), firstSync)
          assert.isNull(yield* firstSyncs.get(one, "nowhere"))
          assert.deepStrictEqual(yield* firstSyncs.list(other), [blank])
          const over = { ...firstSync, state: "done", reason: "why", finishedAt: noon + 5 } as const
          assert.isTrue(yield* firstSyncs.replace(over, 1))
          assert.isFalse(yield* firstSyncs.replace(firstSync, 1))
          assert.deepStrictEqual(yield* firstSyncs.list(one), [{ ...over, version: 2 }])
          assert.isFalse(yield* firstSyncs.replace(firstSyncRecord(one, { locationId: "nowhere" }), 1))
        })
    )

    it.effect("finds a link by either contact, and replaces it only if its version is the version that was read", () =>
      Effect.gen(function* () {
        const links = yield* CrmLinks
        const [one, other] = [freshTenant(), freshTenant()]
        const link = linkRecord(one)
        const elsewhere = linkRecord(one, { locationId: "branch", createdAt: noon - 1 })
        yield* links.insert(link)
        yield* links.insert(elsewhere)
        yield* links.insert(linkRecord(one, { crmContactId: "third", contactId: idOf("con", 2) }))
        yield* links.insert(linkRecord(other))
        assert.deepStrictEqual(yield* links.ofCrm(one, "loc", link.crmContactId), link)
        assert.isNull(yield* links.ofCrm(one, "nowhere", link.crmContactId))
        assert.deepStrictEqual(yield* links.ofContact(one, link.contactId), [elsewhere, link])
        const sending = { ...link, sending: link.ours, goneAt: noon + 5, updatedAt: noon + 5 }
        assert.isTrue(yield* links.replace(sending, 1))
        assert.isFalse(yield* links.replace(link, 1))
        assert.deepStrictEqual(yield* links.ofCrm(one, "loc", link.crmContactId), { ...sending, version: 2 })
        assert.deepStrictEqual(yield* links.ofCrm(other, "loc", link.crmContactId), linkRecord(other))
      })
    )
  })
