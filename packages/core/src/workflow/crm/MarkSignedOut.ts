import { Clock, Effect } from "effect"
import { CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { type CrmInstall, agencyTenantId } from "../../domain/crm/Location.ts"
import { withSpan } from "../WithSpan.ts"
import { log } from "../LogEvents.ts"

/**
 * Records that the CRM has revoked the access to a location, and reports it to partners once. Has no effect when the
 * installation has changed since it was read. A new installation restores the access.
 */
export const markSignedOut = Effect.fnUntraced(function* (install: CrmInstall, said: string) {
  const now = yield* Clock.currentTimeMillis
  const { locationId, tenantId, version } = install
  const reason = said.slice(0, 500)
  const ended: CrmInstall = { ...install, status: "signed_out", refreshingUntil: null, reason, updatedAt: now }
  const event: NewEvent = { type: "crm.signed_out", tenantId, data: { location_id: locationId, reason } }
  const signedOut = yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const changed = yield* (yield* CrmInstalls).replace(ended, version)
      // An agency belongs to no tenant, so its own loss of access is not an outbound event. The tenants of its
      // locations get an event when the access to their own location ends.
      if (changed && tenantId !== agencyTenantId) yield* recordEvents([event], now)
      return changed
    })
  )
  if (!signedOut) return
  yield* log("crm.signed_out", { tenant: tenantId, location: locationId, reason })
}, withSpan("markSignedOut"))
