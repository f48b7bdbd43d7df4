import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import type { CrmLocation } from "../../domain/crm/Location.ts"
import { CrmProofs, ProofInvalid } from "../../port/provider/CrmProofs.ts"
import { CrmLocations } from "../../port/repository/crm/CrmLocations.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { mintSession } from "../access/MintSession.ts"
import { enqueueOpenLocation } from "./Agency.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Assigns a location of the CRM to a tenant, and sets its session mode. Fails with `LocationTaken` when the location
 * belongs to another tenant.
 */
export const mapLocation = Effect.fnUntraced(function* (
  requested: Pick<CrmLocation, "locationId" | "sessions" | "tenantId">
) {
  const { tenantId } = yield* (yield* Tenants).get(requested.tenantId)
  const now = yield* Clock.currentTimeMillis
  const put = (yield* CrmLocations).put({ ...requested, tenantId, createdAt: now, updatedAt: now })
  // A connected agency may already have authorised this server for the location.
  const unit = Effect.tap(put, ({ locationId }) => enqueueOpenLocation(tenantId, locationId))
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("mapLocation"))

/**
 * The location gives this visitor no session. The error is the same for an unknown location, for disabled sessions, and
 * for a visitor in another location. Guessed location ids therefore reveal nothing.
 */
export class LocationClosed extends TaggedError("LocationClosed")<{ readonly locationId: string }> {}

const requireProof = Effect.fnUntraced(function* ({ locationId }: CrmLocation, proof: string | null) {
  if (proof === null) return yield* new ProofInvalid()
  const { activeLocation } = yield* (yield* CrmProofs).open(proof)
  if (activeLocation !== locationId) return yield* new LocationClosed({ locationId })
})

/**
 * Creates a session for the tenant of a CRM location. The session mode of the location determines the required proof:
 * none for `open`, and for `sso` the CRM's encrypted proof that the visitor is in this location.
 */
export const mintLocationSession = Effect.fnUntraced(function* (locationId: string, proof: string | null) {
  const closed = new LocationClosed({ locationId })
  const location = yield* (yield* CrmLocations).find(locationId)
  if (location === null || location.sessions === "off") return yield* closed
  if (location.sessions === "sso") yield* requireProof(location, proof)
  // The location of an archived tenant is treated as unknown.
  return yield* mintSession(location.tenantId).pipe(Effect.catchTag("TenantNotFound", () => closed))
}, withSpan("mintLocationSession"))
