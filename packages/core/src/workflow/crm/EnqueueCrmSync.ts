import { Clock, Effect, Layer } from "effect"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import { CrmLinks } from "../../port/repository/crm/CrmLinks.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import type { OutboundEvent } from "../../domain/webhook/Event.ts"
import type { ContactId } from "../../domain/Id.ts"
import { syncId } from "../../domain/crm/CrmJob.ts"
import type { CrmInstall } from "../../domain/crm/Location.ts"
import { syncedFieldsOf } from "./ApplyFields.ts"
import { saysSame } from "../../domain/crm/ThreeWay.ts"

/** Queues the synchronisation of one contact with a location. Runs inside a unit of work. */
export const enqueueCrmSync = Effect.fnUntraced(function* (
  { locationId, tenantId }: Pick<CrmInstall, "locationId" | "tenantId">,
  contactId: ContactId
) {
  const now = yield* Clock.currentTimeMillis
  const jobId = syncId(locationId, contactId)
  const job = { kind: "crm_sync", locationId, contactId } as const
  yield* (yield* Jobs).renew({ tenantId, jobId, dueAt: now, createdAt: now, job })
})

const isOfContact = ({ type }: OutboundEvent): boolean => type === "contact.created" || type === "contact.updated"

/** Returns whether a location does not have the current state of a contact yet. */
const isNews = Effect.fnUntraced(function* (install: CrmInstall, contactId: ContactId) {
  const { locationId, tenantId } = install
  const contact = yield* resolveMergedContact(tenantId, contactId)
  if (contact === null || contact.contactId !== contactId) return false
  const links = yield* (yield* CrmLinks).ofContact(tenantId, contactId)
  const here = links.filter((link) => link.locationId === locationId)
  const said = syncedFieldsOf(contact)
  return here.length === 0 || here.some(({ goneAt, ours }) => goneAt === null && !saysSame(ours, said))
})

/** Queues the contacts of these events for every location that synchronises contacts. */
const enqueueChanged = Effect.fnUntraced(function* (tenantId: string, events: ReadonlyArray<OutboundEvent>) {
  const reported = new Set(events.filter(isOfContact).map(({ data }) => data["contact_id"]))
  if (reported.size === 0) return
  const installs = (yield* (yield* CrmInstalls).list(tenantId)).filter(
    ({ status, sync }) => status !== "uninstalled" && sync !== "off"
  )
  for (const install of installs) {
    for (const id of reported) {
      const contact = yield* (yield* Contacts)
        .get(tenantId, String(id))
        .pipe(Effect.catchTag("ContactNotFound", () => Effect.succeed(null)))
      if (contact !== null && (yield* isNews(install, contact.contactId)))
        yield* enqueueCrmSync(install, contact.contactId)
    }
  }
})

/**
 * The outbox of a deployment with a CRM: contact events also queue a synchronisation. The job is stored in the unit of
 * work that changes the contact. A server without a CRM uses the plain outbox.
 */
export const layer: Layer.Layer<Events, never, Events | Contacts | CrmInstalls | CrmLinks | Jobs> = Layer.effect(
  Events,
  Effect.gen(function* () {
    const events = yield* Events
    const context = yield* Effect.context<Contacts | CrmInstalls | CrmLinks | Jobs>()
    return Events.of({
      ...events,
      append: (tenantId, reported) =>
        Effect.andThen(
          events.append(tenantId, reported),
          Effect.provideContext(enqueueChanged(tenantId, reported), context)
        )
    })
  })
)
