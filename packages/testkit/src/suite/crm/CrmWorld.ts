import { type CrmContact, noFields } from "@leadloom/core/internal/domain/crm/CrmContact"
import type { CrmInstall } from "@leadloom/core/internal/domain/crm/Location"
import { CrmInstalls, CrmLocations } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { receiveCrmEvent } from "@leadloom/core/internal/workflow/crm/ReceiveCrmEvent"
import { sealTokens } from "@leadloom/core/internal/workflow/crm/WithAccess"
import { Clock, Effect } from "effect"
import { type CrmInMemory, grantOf } from "../../memory/Crm.ts"
import { acme, start } from "../Scene.ts"

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

/** Installs the app for a location of an in-memory CRM. */
export const install = Effect.fnUntraced(function* (
  crm: CrmInMemory,
  tenantId = "acme",
  changes: Partial<CrmInstall> = {}
) {
  const blank = { ...blankInstall(tenantId, yield* Clock.currentTimeMillis), ...changes }
  const installed = yield* sealTokens(blank, grantOf(crm, blank.locationId))
  yield* (yield* CrmInstalls).insert(installed)
  return installed
})

/** Installs the app for a location without the synchronisation of contacts. */
export const installApp = (crm: CrmInMemory, tenantId: string, ofLocation: string) =>
  install(crm, tenantId, { locationId: ofLocation, sync: "off" })

/** Returns the current install. */
export const installed = Effect.flatMap(CrmInstalls, (installs) => installs.get("acme", locationId))

/** Creates the tenant with a location of a CRM that accepts its requests. */
export const open = Effect.fnUntraced(function* (crm: CrmInMemory) {
  yield* acme.open()
  const location = { locationId, tenantId: "acme", sessions: "off", createdAt: start, updatedAt: start } as const
  yield* (yield* CrmLocations).put(location)
  yield* install(crm)
})

/** Creates a contact in an in-memory CRM. */
export const crmContact = (
  crm: CrmInMemory,
  ofLocation: string,
  crmContactId: string,
  fields: Partial<CrmContact> = {}
): void =>
  void crm.contacts.set(crmContactId, {
    ...noFields,
    smsOptOut: false,
    ...fields,
    locationId: ofLocation,
    crmContactId
  })

let providerEvents = 0
/** Reports a contact in the same way as HighLevel. */
export const reportContact = (crmContactId: string, said: Partial<CrmContact> = {}) =>
  receiveCrmEvent(`event-${++providerEvents}`, { _tag: "ContactChanged", locationId, crmContactId, said })
