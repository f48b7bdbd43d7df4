import { Clock, Effect } from "effect"
import { livesOn } from "../contact/LiveContact.ts"
import { again, done, type ErrandOutcome, errandAttempts, type QueuedErrand } from "../../domain/job/Errand.ts"
import { CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { CrmErrand } from "../../domain/crm/CrmErrand.ts"
import { type CrmFailure, type CrmNotInstalled, crmReason } from "../../domain/crm/CrmFailure.ts"
import { followContact } from "./FollowContact.ts"
import { giveUpSync } from "./GiveUpSync.ts"
import { syncContact } from "./SyncContact.ts"

type Queued = QueuedErrand<CrmErrand>

/** The location an errand is for, while it wants contacts. */
const wantedBy = Effect.fnUntraced(function* ({ errand, tenantId }: Queued) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const install = yield* (yield* CrmInstalls).get(tenantId, errand.locationId)
  if (tenant.hipaa || install === null || install.status === "uninstalled" || install.sync === "off") return null
  if (errand.kind === "crm_meet" && install.sync !== "both") return null
  return { tenant, install }
})

const run = Effect.fnUntraced(function* (queued: Queued) {
  const wanted = yield* wantedBy(queued).pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  if (wanted === null) return done
  const { errand, tenantId } = queued
  if (errand.kind === "crm_meet") {
    yield* followContact(wanted.tenant, errand.locationId, errand.crmContactId)
    return done
  }
  const contact = yield* livesOn(tenantId, errand.contactId)
  if (contact === null || contact.contactId !== errand.contactId) return done
  const brought = yield* syncContact({ ...wanted, contact, queued: { ...queued, errand } })
  return brought ? done : again("the contact was changed meanwhile", 1)
})

/** What becomes of an errand that the CRM did not let happen. */
const failed = Effect.fnUntraced(function* (queued: Queued, failure: CrmFailure | CrmNotInstalled) {
  const reason = crmReason(failure)
  if (failure._tag === "CrmNotInstalled") return done
  if (failure._tag === "CrmUnavailable" && failure.waitMillis !== null) {
    const dueAt = (yield* Clock.currentTimeMillis) + failure.waitMillis
    return { _tag: "Later", dueAt, errand: queued.errand, reason } satisfies ErrandOutcome
  }
  // What is refused today may be a matter of a setting there; what is refused all day is for a person.
  if (failure._tag !== "CrmRefused" || queued.attempts < errandAttempts) return again(reason)
  const { errand } = queued
  if (errand.kind === "crm_sync") yield* giveUpSync({ ...queued, errand }, reason)
  return done
})

/** Brings contacts together with a CRM. */
export const runCrmErrand = (queued: Queued) =>
  run(queued).pipe(
    Effect.catchTags({
      CrmRefused: (failure) => failed(queued, failure),
      CrmGone: (failure) => failed(queued, failure),
      CrmUnavailable: (failure) => failed(queued, failure),
      CrmOutcomeUnknown: (failure) => failed(queued, failure),
      CrmSignedOut: (failure) => failed(queued, failure),
      CrmNotConfigured: (failure) => failed(queued, failure),
      CrmNotInstalled: (failure) => failed(queued, failure)
    })
  )
