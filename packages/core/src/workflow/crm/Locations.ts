import { Clock, Data, Effect } from "effect"
import type { CrmLocation } from "../../domain/crm/Location.ts"
import { CrmProofs, ProofInvalid } from "../../port/provider/CrmProofs.ts"
import { CrmLocations } from "../../port/repository/crm/CrmLocations.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { mintSession } from "../access/MintSession.ts"
import { enqueueOpenLocation } from "./Agency.ts"

/**
 * Says which tenant a location of the CRM stands for, and who gets sessions by it. One that stands for another tenant is
 * not moved: what was installed there is that tenant's.
 */
export const mapLocation = Effect.fn("mapLocation")(function* (
  requested: Pick<CrmLocation, "locationId" | "sessions" | "tenantId">
) {
  const { tenantId } = yield* (yield* Tenants).get(requested.tenantId)
  const now = yield* Clock.currentTimeMillis
  const put = (yield* CrmLocations).put({ ...requested, tenantId, createdAt: now, updatedAt: now })
  // An agency may have let us into it already.
  const unit = Effect.tap(put, ({ locationId }) => enqueueOpenLocation(tenantId, locationId))
  return yield* (yield* Transactions).atomically(tenantId, unit)
})

/**
 * This location gives nobody a session, or not to this visitor. One answer, whether it stands for nobody, has sessions
 * switched off or is not where the visitor is: who guesses ids learns nothing by it.
 */
export class LocationClosed extends Data.TaggedError("LocationClosed")<{ readonly locationId: string }> {}

const requireProof = Effect.fnUntraced(function* ({ locationId }: CrmLocation, proof: string | null) {
  if (proof === null) return yield* new ProofInvalid()
  const { activeLocation } = yield* (yield* CrmProofs).open(proof)
  if (activeLocation !== locationId) return yield* new LocationClosed({ locationId })
})

/**
 * Mints a session for the tenant that a location of the CRM stands for, as the operator has said who gets one: `open`
 * asks for nothing, `sso` for the CRM's word that the visitor is in this very location.
 */
export const mintLocationSession = Effect.fn("mintLocationSession")(function* (
  locationId: string,
  proof: string | null
) {
  const closed = new LocationClosed({ locationId })
  const location = yield* (yield* CrmLocations).find(locationId)
  if (location === null || location.sessions === "off") return yield* closed
  if (location.sessions === "sso") yield* requireProof(location, proof)
  // A tenant that is served no longer stands for nobody.
  return yield* mintSession(location.tenantId).pipe(Effect.catchTag("TenantNotFound", () => closed))
})
