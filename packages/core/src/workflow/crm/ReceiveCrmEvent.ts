import { Clock, Effect } from "effect"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { CrmInstalls, CrmLocations } from "../../port/repository/crm/CrmLocations.ts"
import { CrmLinks } from "../../port/repository/crm/CrmLinks.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { ProviderEvents } from "../../port/repository/webhook/ProviderEvents.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { linkContactId } from "../../domain/crm/CrmJob.ts"
import type { CrmInstall } from "../../domain/crm/Location.ts"
import type { CrmEvent } from "../../domain/crm/CrmContact.ts"
import { enqueueOpenLocation, receiveAgencyEvent } from "./Agency.ts"
import { enqueueCrmSync } from "../webhook/Outbox.ts"
import { endInstall } from "./Install.ts"
import { isEcho } from "../../domain/crm/ThreeWay.ts"
import { withSpan } from "../WithSpan.ts"

type Changed = Extract<CrmEvent, { readonly _tag: "ContactChanged" }>

const enqueueLinkContact = Effect.fnUntraced(function* ({ locationId, tenantId }: CrmInstall, crmContactId: string) {
  const now = yield* Clock.currentTimeMillis
  const jobId = linkContactId(locationId, crmContactId)
  const job = { kind: "crm_meet", locationId, crmContactId } as const
  yield* (yield* Jobs).renew({ tenantId, jobId, dueAt: now, createdAt: now, job })
})

/** Applies the creation or change of a CRM contact. Ignores changes that this server has made or already knows. */
const applyContactChange = Effect.fnUntraced(function* (install: CrmInstall, { crmContactId, said }: Changed) {
  if (install.sync !== "both") return
  const { locationId, tenantId } = install
  const link = yield* (yield* CrmLinks).ofCrm(tenantId, locationId, crmContactId)
  const contact = link === null ? null : yield* resolveMergedContact(tenantId, link.contactId)
  if (link === null || contact === null) return yield* enqueueLinkContact(install, crmContactId)
  if (!isEcho(said, link)) yield* enqueueCrmSync(install, contact.contactId)
})

const applyContactDeletion = Effect.fnUntraced(function* ({ locationId, tenantId }: CrmInstall, crmContactId: string) {
  const links = yield* CrmLinks
  const link = yield* links.ofCrm(tenantId, locationId, crmContactId)
  if (link === null || link.goneAt !== null) return
  const now = yield* Clock.currentTimeMillis
  yield* links.replace({ ...link, goneAt: now, sending: null, updatedAt: now }, link.version)
})

const applyEvent = Effect.fnUntraced(function* (
  tenantId: string,
  providerEvent: Exclude<CrmEvent, { readonly _tag: "Ignored" | "AgencyUninstalled" }>
) {
  const install = yield* (yield* CrmInstalls).get(tenantId, providerEvent.locationId)
  // The owner of a location is redirected to this server after the installation. After an installation by the agency
  // there is no redirect, so the location is opened here.
  if (providerEvent._tag === "Installed") return yield* enqueueOpenLocation(tenantId, providerEvent.locationId)
  if (install === null || install.status === "uninstalled") return
  switch (providerEvent._tag) {
    case "Uninstalled":
      return yield* endInstall(install)
    case "ContactChanged":
      return yield* applyContactChange(install, providerEvent)
    case "ContactDeleted":
      return yield* applyContactDeletion(install, providerEvent.crmContactId)
  }
})

/**
 * Receives a verified event of the CRM. A repeated event has no effect. An event of a location without a tenant is
 * ignored. All work that follows from the event is queued when this effect completes.
 */
export const receiveCrmEvent = Effect.fnUntraced(function* (providerEventId: string, providerEvent: CrmEvent) {
  if (providerEvent._tag === "Ignored") return
  if (providerEvent._tag === "AgencyUninstalled")
    return yield* receiveAgencyEvent(providerEventId, providerEvent.companyId)
  const tenantId = yield* (yield* CrmLocations).tenantOf(providerEvent.locationId)
  if (tenantId === null) return
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      if (yield* (yield* ProviderEvents).receive(tenantId, "highlevel", providerEventId, now))
        yield* applyEvent(tenantId, providerEvent)
    })
  )
}, withSpan("receiveCrmEvent"))
