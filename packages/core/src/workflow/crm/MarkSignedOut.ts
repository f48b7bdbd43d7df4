import { Clock, Effect } from "effect"
import { CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { OutboundEvent } from "../../domain/webhook/Event.ts"
import { type CrmInstall, agencyTenantId } from "../../domain/crm/Location.ts"

/**
 * Notes that the CRM lets us into a location no longer, of an install as it was read, and tells partners, once: one that
 * somebody has changed since is left alone. Installing the app again ends it.
 */
export const markSignedOut = Effect.fn("markSignedOut")(function* (install: CrmInstall, said: string) {
  const now = yield* Clock.currentTimeMillis
  const { locationId, tenantId, version } = install
  const reason = said.slice(0, 500)
  const ended: CrmInstall = { ...install, status: "signed_out", refreshingUntil: null, reason, updatedAt: now }
  const event: OutboundEvent = {
    eventId: yield* (yield* Ids).next("evt"),
    type: "crm.signed_out",
    tenantId,
    timestamp: now,
    data: { location_id: locationId, reason }
  }
  const signedOut = yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const changed = yield* (yield* CrmInstalls).replace(ended, version)
      // An agency is nobody's whom events are told to; its locations tell theirs.
      if (changed && tenantId !== agencyTenantId) yield* (yield* Events).append(tenantId, [event])
      return changed
    })
  )
  if (!signedOut) return
  yield* Effect.logWarning("The CRM lets us into a location no longer: the app has to be installed there again").pipe(
    Effect.annotateLogs({ tenant: tenantId, location: locationId, reason })
  )
})
