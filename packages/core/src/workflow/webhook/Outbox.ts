import { Clock, Effect } from "effect"
import { syncedFieldsOf } from "../../domain/crm/CrmContact.ts"
import { syncId } from "../../domain/crm/CrmJob.ts"
import type { CrmInstall } from "../../domain/crm/Location.ts"
import { saysSame } from "../../domain/crm/ThreeWay.ts"
import type { ContactId } from "../../domain/Id.ts"
import type { NewEvent, OutboundEvent } from "../../domain/webhook/Event.ts"
import { Crm } from "../../port/provider/Crm.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { CrmLinks } from "../../port/repository/crm/CrmLinks.ts"
import { CrmInstalls } from "../../port/repository/crm/CrmLocations.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { ActingUser } from "../ActingUser.ts"
import { storeChanges } from "../cause/StoreChanges.ts"
import { Ids } from "../../port/system/Ids.ts"

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

/**
 * Queues the synchronisation of a contact with every location that synchronises contacts and does not have the current
 * values. Without this condition, a change that came from the CRM would be sent back. A merged contact is not
 * synchronised.
 */
const enqueueContact = Effect.fnUntraced(function* (installs: ReadonlyArray<CrmInstall>, tenantId: string, id: string) {
  const contact = yield* (yield* Contacts)
    .get(tenantId, id)
    .pipe(Effect.catchTag("ContactNotFound", () => Effect.succeed(null)))
  if (contact === null || contact.mergedInto !== null) return
  const links = yield* (yield* CrmLinks).ofContact(tenantId, contact.contactId)
  const current = syncedFieldsOf(contact)
  for (const install of installs) {
    const here = links.filter(({ locationId }) => locationId === install.locationId)
    const isNews = here.length === 0 || here.some(({ goneAt, ours }) => goneAt === null && !saysSame(ours, current))
    if (isNews) yield* enqueueCrmSync(install, contact.contactId)
  }
})

const enqueueChangedContacts = Effect.fnUntraced(function* (tenantId: string, events: ReadonlyArray<NewEvent>) {
  const ofContact = events.filter(({ type }) => type === "contact.created" || type === "contact.updated")
  const changed = new Set(ofContact.map(({ data }) => String(data["contact_id"])))
  if (changed.size === 0) return
  const all = yield* (yield* CrmInstalls).list(tenantId)
  const installs = all.filter(({ status, sync }) => status !== "uninstalled" && sync !== "off")
  if (installs.length === 0) return
  for (const id of changed) yield* enqueueContact(installs, tenantId, id)
})

/**
 * Records the events of one tenant in the outbox, with the user who makes the request. Subscriptions and readers of the
 * event list receive them. Their changes are causes of rules. In a deployment with a CRM, also queues the synchronisation
 * of the changed contacts. Every workflow whose change partners must learn of calls this function inside the unit of work
 * of the change.
 */
export const recordEvents = Effect.fnUntraced(function* (events: ReadonlyArray<NewEvent>, now: number) {
  const [first] = events
  if (first === undefined) return
  const ids = yield* Ids
  const user = yield* ActingUser
  const acting = user === null ? {} : { acting_user_id: user.userId }
  const stamped: Array<OutboundEvent> = []
  for (const { data, tenantId, type } of events)
    stamped.push({ type, tenantId, data: { ...data, ...acting }, eventId: yield* ids.next("evt"), timestamp: now })
  yield* (yield* Events).append(first.tenantId, stamped)
  const changes = events.flatMap((event) => event.changes ?? [])
  yield* storeChanges(first.tenantId, changes, now)
  if (yield* Effect.isSuccess((yield* Crm).configured)) yield* enqueueChangedContacts(first.tenantId, events)
})
