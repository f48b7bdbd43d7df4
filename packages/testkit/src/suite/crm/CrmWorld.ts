import { inMemoryCrm, type CrmInMemory, emptyCrm, grantOf } from "../../memory/Crm.ts"
import { layer } from "@effect/vitest"
import type { CrmInstall } from "@leadloom/core/domain/crm/Location"
import * as EnqueueCrmSync from "@leadloom/core/workflow/crm/EnqueueCrmSync"
import { sealTokens } from "@leadloom/core/workflow/crm/WithAccess"
import type { Crm } from "@leadloom/core/port/provider/Crm"
import { CrmInstalls } from "@leadloom/core/port/repository/crm/CrmLocations"
import { Clock, Effect, Layer } from "effect"
import { around, type Store, type StoreLayer } from "../World.ts"

/** Where the tests of a CRM are let in. */
export const locationId = "loc-1"

/** An install that has no tokens yet. */
export const blankInstall = (tenantId: string, now: number): CrmInstall => ({
  tenantId,
  locationId,
  companyId: null,
  sync: "both",
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
})

/** Lets us into the location, with the tokens of the CRM in memory. */
export const install = Effect.fnUntraced(function* (crm: CrmInMemory, tenantId = "acme") {
  const blank = blankInstall(tenantId, yield* Clock.currentTimeMillis)
  const installed = yield* sealTokens(blank, grantOf(crm, locationId))
  yield* (yield* CrmInstalls).insert(installed)
  return installed
})

/** The install as it stands. */
export const installed = Effect.flatMap(CrmInstalls, (installs) => installs.get("acme", locationId))

/** A test on a store of its own, with the CRM that it speaks to. */
export const makeCrmScene =
  (store: StoreLayer) =>
  (
    title: string,
    test: (crm: CrmInMemory) => Effect.Effect<void, unknown, Layer.Success<typeof around> | Crm | Store>
  ): void => {
    const crm = emptyCrm()
    const fed = Layer.provideMerge(EnqueueCrmSync.layer, Layer.fresh(store))
    const world = Layer.mergeAll(fed, around, inMemoryCrm(crm))
    layer(world)((it) => it.effect(title, () => test(crm)))
  }
