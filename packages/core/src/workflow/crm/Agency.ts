import { Clock, Data, Effect } from "effect"
import { Crm } from "../../port/provider/Crm.ts"
import { CrmInstalls, CrmLocations } from "../../port/repository/crm/CrmLocations.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { ProviderEvents } from "../../port/repository/webhook/ProviderEvents.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { openLocationId } from "../../domain/crm/CrmJob.ts"
import { CrmRefused } from "../../domain/crm/CrmFailure.ts"
import type { AgencyLocation } from "../../domain/crm/CrmGrant.ts"
import { agencyTenantId } from "../../domain/crm/Location.ts"
import {
  startAuthorization,
  type AuthorizationCallback,
  endInstall,
  finishAuthorization,
  storeTokens
} from "./Install.ts"
import { withAccess } from "./WithAccess.ts"

/** This agency has not let us in. */
export class AgencyNotFound extends Data.TaggedError("AgencyNotFound")<{ readonly companyId: string }> {}

/** Asks for a location to be brought in line with the agencies, where there are any. Runs inside a unit of work. */
export const enqueueOpenLocation = Effect.fnUntraced(function* (tenantId: string, locationId: string) {
  if ((yield* (yield* CrmInstalls).list(agencyTenantId)).length === 0) return
  const now = yield* Clock.currentTimeMillis
  const [jobs, jobId] = [yield* Jobs, openLocationId(locationId)]
  const job = { kind: "crm_adopt", locationId } as const
  yield* jobs.renew({ tenantId, jobId, dueAt: now, createdAt: now, job })
  yield* jobs.hurry(tenantId, jobId, now)
})

/** The same for every location that stands for a tenant. Not inside a unit of work: each is its tenant's. */
const enqueueOpenLocations = Effect.gen(function* () {
  const { atomically } = yield* Transactions
  for (const { locationId, tenantId } of yield* (yield* CrmLocations).list)
    yield* atomically(tenantId, enqueueOpenLocation(tenantId, locationId))
})

/** Where somebody lets this server into an agency, with all of its locations or some. */
export const startAgencyInstall = Effect.fn("startAgencyInstall")(function* (principal: string) {
  yield* (yield* Crm).configured
  return yield* startAuthorization(agencyTenantId, principal, "agency")
})

/**
 * Lets this server into an agency. Which locations that opens is up to the agency; those that stand for a tenant
 * (`CrmLocations`) and are not open yet are tried, and others when they are mapped or the app is installed there.
 */
export const finishAgencyInstall = Effect.fn("finishAgencyInstall")(function* (
  back: Omit<AuthorizationCallback, "tenantId">
) {
  const grant = yield* finishAuthorization({ ...back, tenantId: agencyTenantId }, "agency")
  const { companyId, locationId } = grant
  if (companyId === null || locationId !== null)
    return yield* new CrmRefused({ reason: "the app was installed for one location: choose the agency" })
  const install = yield* (yield* Transactions).atomically(agencyTenantId, storeTokens(agencyTenantId, companyId, grant))
  yield* enqueueOpenLocations
  return install
})

/** An agency that is not let go of. */
const requireAgency = Effect.fnUntraced(function* (companyId: string) {
  const agency = yield* (yield* CrmInstalls).get(agencyTenantId, companyId)
  if (agency === null || agency.status === "uninstalled") return yield* new AgencyNotFound({ companyId })
  return agency
})

/** A location of an agency, and the tenant that it stands for; null: nobody yet. */
export interface MappedLocation extends AgencyLocation {
  readonly tenantId: string | null
}

/** Some locations of an agency, by what the CRM says now. Never inside a unit of work. */
export const agencyLocations = Effect.fn("agencyLocations")(function* (companyId: string, limit: number, skip: number) {
  const [crm, locations] = [yield* Crm, yield* CrmLocations]
  yield* requireAgency(companyId)
  const found = yield* withAccess(agencyTenantId, companyId, (agency) => crm.agencyLocations(agency, limit, skip))
  return yield* Effect.forEach(found, (location) =>
    Effect.map(locations.tenantOf(location.locationId), (tenantId): MappedLocation => ({ ...location, tenantId }))
  )
})

/** Lets go of an agency: its locations are closed soon after. The app itself is taken away in the CRM. */
export const removeAgency = Effect.fn("removeAgency")(function* (companyId: string) {
  yield* (yield* Transactions).atomically(agencyTenantId, Effect.flatMap(requireAgency(companyId), endInstall))
  yield* enqueueOpenLocations
})

/**
 * An agency took the app away. What follows is decided by how the agency stands when it is done, so that a provider event which
 * comes again after somebody installed the app again closes nothing.
 */
export const receiveAgencyEvent = Effect.fn("receiveAgencyEvent")(function* (
  providerEventId: string,
  companyId: string
) {
  const agency = yield* (yield* CrmInstalls).get(agencyTenantId, companyId)
  if (agency === null) return
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Transactions).atomically(
    agencyTenantId,
    Effect.gen(function* () {
      const isNew = yield* (yield* ProviderEvents).receive(agencyTenantId, "highlevel", providerEventId, now)
      if (isNew) yield* Effect.ignore(Effect.flatMap(requireAgency(companyId), endInstall))
    })
  )
  yield* enqueueOpenLocations
})
