import { Clock, Effect } from "effect"
import { CrmInstalls } from "../port/CrmInstalls.ts"
import type { CrmInstall } from "./CrmInstall.ts"

/**
 * Notes that the CRM lets us into a location no longer, of an install as it was read: one that somebody has changed since
 * is left alone. Installing the app again ends it.
 */
export const signOut = Effect.fn("signOut")(function* (install: CrmInstall, reason: string) {
  const now = yield* Clock.currentTimeMillis
  const { locationId, tenantId, version } = install
  const ended: CrmInstall = {
    ...install,
    status: "signed_out",
    refreshingUntil: null,
    reason: reason.slice(0, 500),
    updatedAt: now
  }
  if (!(yield* (yield* CrmInstalls).replace(ended, version))) return
  yield* Effect.logWarning("The CRM lets us into a location no longer: the app has to be installed there again").pipe(
    Effect.annotateLogs({ tenant: tenantId, location: locationId, reason })
  )
})
