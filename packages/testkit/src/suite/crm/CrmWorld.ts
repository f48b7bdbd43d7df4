import { inMemoryCrm, type CrmInMemory, emptyCrm, grantOf } from "../../memory/Crm.ts"
import { layer } from "@effect/vitest"
import type { CrmInstall } from "@leadloom/core/domain/crm/Location"
import { CrmConnected } from "@leadloom/core/workflow/webhook/Outbox"
import { sealTokens } from "@leadloom/core/workflow/crm/WithAccess"
import type { Crm } from "@leadloom/core/port/provider/Crm"
import { CrmInstalls } from "@leadloom/core/port/repository/crm/CrmLocations"
import { Clock, Effect, Layer } from "effect"
import { around } from "../Doubles.ts"
import type { Store, StoreLayer } from "../StoreLayer.ts"

/** The location of the tests. */
export const locationId = "loc-1"

/** An install without tokens. */
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

/** Installs the app for the location, with the tokens of the in-memory CRM. */
export const install = Effect.fnUntraced(function* (crm: CrmInMemory, tenantId = "acme") {
  const blank = blankInstall(tenantId, yield* Clock.currentTimeMillis)
  const installed = yield* sealTokens(blank, grantOf(crm, locationId))
  yield* (yield* CrmInstalls).insert(installed)
  return installed
})

/** Returns the current install. */
export const installed = Effect.flatMap(CrmInstalls, (installs) => installs.get("acme", locationId))

/** Runs a test on a fresh store with an in-memory CRM. */
export const makeCrmScene =
  (store: StoreLayer) =>
  (
    title: string,
    test: (crm: CrmInMemory) => Effect.Effect<void, unknown, Layer.Success<typeof around> | Crm | Store>
  ): void => {
    const crm = emptyCrm()
    const fed = Layer.merge(Layer.succeed(CrmConnected, true), Layer.fresh(store))
    const world = Layer.mergeAll(fed, around, inMemoryCrm(crm))
    layer(world)((it) => it.effect(title, () => test(crm)))
  }
