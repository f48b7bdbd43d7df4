import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { Crm } from "../../port/provider/Crm.ts"
import { CrmInstalls, CrmLocations } from "../../port/repository/crm/CrmLocations.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { ProviderEvents } from "../../port/repository/webhook/ProviderEvents.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { openLocationId } from "../../domain/crm/CrmJob.ts"
import { refused } from "../../domain/provider/ProviderFailure.ts"
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
import { withSpan } from "../WithSpan.ts"

/** The agency has not authorised this server. */
export class AgencyNotFound extends TaggedError("AgencyNotFound")<{ readonly companyId: string }> {}

/**
 * Queues a job that opens a location with the access of a connected agency. Has no effect if no agency is connected.
 * Runs inside a unit of work.
 */
export const enqueueOpenLocation = Effect.fnUntraced(function* (tenantId: string, locationId: string) {
  if ((yield* (yield* CrmInstalls).list(agencyTenantId)).length === 0) return
  const now = yield* Clock.currentTimeMillis
  const [jobs, jobId] = [yield* Jobs, openLocationId(locationId)]
  const job = { kind: "crm_adopt", locationId } as const
  yield* jobs.renew({ tenantId, jobId, dueAt: now, createdAt: now, job })
  yield* jobs.hurry(tenantId, jobId, now)
})

/**
 * Queues a job for every location that belongs to a tenant. Must run outside a unit of work, because the job of each
 * location needs a unit of work of its tenant.
 */
const enqueueOpenLocations = Effect.gen(function* () {
  const { atomically } = yield* Transactions
  for (const { locationId, tenantId } of yield* (yield* CrmLocations).list)
    yield* atomically(tenantId, enqueueOpenLocation(tenantId, locationId))
})

/** Returns the URL of the page on which an agency authorises this server, for all of its locations or for some. */
export const startAgencyInstall = Effect.fnUntraced(function* (principal: string) {
  yield* (yield* Crm).configured
  return yield* startAuthorization(agencyTenantId, principal, "agency")
}, withSpan("startAgencyInstall"))

/**
 * Completes the authorisation by an agency. The agency chooses the covered locations in the CRM. For every location
 * that belongs to a tenant (`CrmLocations`), a job tries to open it. Other locations are tried when they are assigned
 * to a tenant, or when the app is installed in them.
 */
export const finishAgencyInstall = Effect.fnUntraced(function* (back: Omit<AuthorizationCallback, "tenantId">) {
  const grant = yield* finishAuthorization({ ...back, tenantId: agencyTenantId }, "agency")
  const { companyId, locationId } = grant
  if (companyId === null || locationId !== null)
    return yield* refused("crm", "the app was installed for one location; install it again and choose the agency")
  const install = yield* (yield* Transactions).atomically(agencyTenantId, storeTokens(agencyTenantId, companyId, grant))
  yield* enqueueOpenLocations
  return install
}, withSpan("finishAgencyInstall"))

/** Returns an agency that is connected. Fails with `AgencyNotFound` for any other. */
const requireAgency = Effect.fnUntraced(function* (companyId: string) {
  const agency = yield* (yield* CrmInstalls).get(agencyTenantId, companyId)
  if (agency === null || agency.status === "uninstalled") return yield* new AgencyNotFound({ companyId })
  return agency
})

/** A location of an agency with its tenant. `tenantId` is null when the location belongs to no tenant. */
export interface MappedLocation extends AgencyLocation {
  readonly tenantId: string | null
}

/** Reads locations of an agency from the CRM. Must run outside a unit of work. */
export const agencyLocations = Effect.fnUntraced(function* (companyId: string, limit: number, skip: number) {
  const [crm, locations] = [yield* Crm, yield* CrmLocations]
  yield* requireAgency(companyId)
  const found = yield* withAccess(agencyTenantId, companyId, (agency) => crm.agencyLocations(agency, limit, skip))
  return yield* Effect.forEach(found, (location) =>
    Effect.map(locations.tenantOf(location.locationId), (tenantId): MappedLocation => ({ ...location, tenantId }))
  )
}, withSpan("agencyLocations"))

/** Disconnects an agency. Jobs then close its locations. The app itself must be removed in the CRM. */
export const removeAgency = Effect.fnUntraced(function* (companyId: string) {
  yield* (yield* Transactions).atomically(agencyTenantId, Effect.flatMap(requireAgency(companyId), endInstall))
  yield* enqueueOpenLocations
}, withSpan("removeAgency"))

/**
 * Receives the event that an agency has removed the app. The queued jobs read the agency's state when they run. If the
 * event is repeated after a new installation, they therefore close nothing.
 */
export const receiveAgencyEvent = Effect.fnUntraced(function* (providerEventId: string, companyId: string) {
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
}, withSpan("receiveAgencyEvent"))
