import { Clock, Effect } from "effect"
import { CrmLocations } from "../../port/repository/crm/CrmLocations.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { askToAdopt } from "./Agency.ts"
import type { CrmLocation } from "../../domain/crm/Location.ts"

/**
 * Says which tenant a location of the CRM stands for, and who gets sessions by it. One that stands for another tenant is
 * not moved: what was installed there is that tenant's.
 */
export const mapLocation = Effect.fn("mapLocation")(function* (
  asked: Pick<CrmLocation, "locationId" | "sessions" | "tenantId">
) {
  const { tenantId } = yield* (yield* Tenants).get(asked.tenantId)
  const now = yield* Clock.currentTimeMillis
  const put = (yield* CrmLocations).put({ ...asked, tenantId, createdAt: now, updatedAt: now })
  // An agency may have let us into it already.
  const unit = Effect.tap(put, ({ locationId }) => askToAdopt(tenantId, locationId))
  return yield* (yield* Transactions).atomically(tenantId, unit)
})
