import { type CrmInMemory, grantOf } from "../../memory/Crm.ts"
import type { CrmInstall } from "@leadloom/core/domain/crm/Location"
import { noFields, type CrmContact } from "@leadloom/core/domain/crm/CrmContact"
import { sealTokens } from "@leadloom/core/workflow/crm/WithAccess"
import { CrmInstalls } from "@leadloom/core/port/repository/crm/CrmLocations"
import { Clock, Effect } from "effect"

/** Lets us into a location of a CRM in memory, as if its owner had installed the app. */
export const installApp = Effect.fnUntraced(function* (crm: CrmInMemory, tenantId: string, locationId: string) {
  const now = yield* Clock.currentTimeMillis
  const blank: CrmInstall = {
    tenantId,
    locationId,
    companyId: null,
    sync: "off",
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
  }
  yield* (yield* CrmInstalls).insert(yield* sealTokens(blank, grantOf(crm, locationId)))
})

/** Makes a contact in a CRM in memory. */
export const crmContact = (
  crm: CrmInMemory,
  locationId: string,
  crmContactId: string,
  fields: Partial<CrmContact> = {}
): void => void crm.contacts.set(crmContactId, { ...noFields, smsOptOut: false, ...fields, locationId, crmContactId })
