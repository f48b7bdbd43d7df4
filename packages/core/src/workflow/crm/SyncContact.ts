/**
 * Synchronises contacts with CRMs: installation, access tokens, links, first sync and operations of rules. The rules of
 * the three-way merge do not belong here (`domain/crm`). Requests to the CRM use the port `Crm`. Tests:
 * `packages/testkit/src/suite/crm`, `packages/core/test/domain/crm`.
 */
import { Clock, Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import type { QueuedJob } from "../../domain/job/Job.ts"
import { Crm } from "../../port/provider/Crm.ts"
import { CrmLinks } from "../../port/repository/crm/CrmLinks.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type CrmLink, type ReportedFields, type SyncedFields, syncedFieldsOf } from "../../domain/crm/CrmContact.ts"
import type { CrmJob } from "../../domain/crm/CrmJob.ts"
import type { CrmInstall } from "../../domain/crm/Location.ts"
import { applyDoNotDisturb } from "./ApplyDoNotDisturb.ts"
import { linkContactToCrm } from "./LinkContactToCrm.ts"
import { applyFields } from "./ApplyFields.ts"
import { mergeThreeWay, isQuiet, type ThreeWayResult } from "../../domain/crm/ThreeWay.ts"
import { withAccess } from "./WithAccess.ts"
import { withSpan } from "../WithSpan.ts"

/** The synchronisation of one contact with a location, and its job. */
export interface ContactSync {
  readonly tenant: Tenant
  readonly install: CrmInstall
  readonly contact: Contact
  readonly queued: QueuedJob<Extract<CrmJob, { readonly kind: "crm_sync" }>>
}

/** Ends the job. If the job was queued again meanwhile, makes it due immediately. Runs inside a unit of work. */
const endJob = Effect.fnUntraced(function* ({ queued }: ContactSync) {
  const jobs = yield* Jobs
  if (!(yield* jobs.finish(queued))) yield* jobs.hurry(queued.tenantId, queued.jobId, yield* Clock.currentTimeMillis)
})

/**
 * Records that the contact was deleted in the CRM. The local contact stays, and is not sent again. Runs inside a unit
 * of work.
 */
const noteGone = Effect.fnUntraced(function* (link: CrmLink) {
  const now = yield* Clock.currentTimeMillis
  yield* (yield* CrmLinks).replace({ ...link, goneAt: now, sending: null, updatedAt: now }, link.version)
})

/** Returns the CRM's current values. If the mode takes no values from the CRM, the last known values suffice. */
const remoteOf = Effect.fnUntraced(function* ({ install, tenant }: ContactSync, link: CrmLink) {
  if (install.sync !== "both") return link.theirs
  const crm = yield* Crm
  return yield* withAccess(tenant.tenantId, link.locationId, (access) => crm.contact(access, link.crmContactId))
})

/**
 * Applies the CRM's changes to the local contact, and stores the values that will be sent. Returns null when the link
 * has changed meanwhile or the contact no longer exists. The job then starts again. Runs inside a unit of work.
 */
const settle = Effect.fnUntraced(function* (
  { install, tenant }: ContactSync,
  { isMain, link, remote }: { readonly link: CrmLink; readonly remote: ReportedFields; readonly isMain: boolean }
) {
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const before = yield* resolveMergedContact(tenantId, link.contactId)
  if (before === null) return null
  const wanted = mergeThreeWay(syncedFieldsOf(before), remote, link, install.sync === "both")
  const together: ThreeWayResult = isMain ? wanted : { local: wanted.local, changes: {}, addTags: [], removeTags: [] }
  const { defaultCountry } = tenant.config
  const contact = yield* applyFields(before, together.local, defaultCountry, now)
  const smsOptOut =
    install.sync === "both"
      ? yield* applyDoNotDisturb({ contact, link, remote, defaultCountry })
      : link.theirs.smsOptOut === true
  const quiet = isQuiet(together)
  const said = syncedFieldsOf(contact)
  const next: CrmLink = {
    ...link,
    // A value counts as synchronised only after the CRM has accepted it.
    ours: quiet ? said : unsent(link.ours, said, together),
    theirs: { ...syncedFieldsOf(remote), smsOptOut },
    sending: quiet ? null : said,
    updatedAt: now
  }
  if (!(yield* (yield* CrmLinks).replace(next, link.version))) return null
  if (contact !== before) yield* recordEvents([contactEvent("contact.updated", contact)], now)
  return { quiet, together, link: { ...next, version: link.version + 1 } }
})

/**
 * Returns the values that count as synchronised: those of the contact without the changes that are not sent yet. If the
 * request fails, these changes are still recognised as changes.
 */
const unsent = (
  before: SyncedFields,
  said: SyncedFields,
  { addTags, changes, removeTags }: ThreeWayResult
): SyncedFields => ({
  name: "name" in changes ? before.name : said.name,
  email: "email" in changes ? before.email : said.email,
  phone: "phone" in changes ? before.phone : said.phone,
  company: said.company,
  tags: [...said.tags.filter((tag) => !addTags.includes(tag)), ...before.tags.filter((tag) => removeTags.includes(tag))]
})

/** Sends the changes to the CRM, and returns the CRM's new values. Each request is idempotent. */
const send = Effect.fnUntraced(function* (link: CrmLink, { addTags, changes, removeTags }: ThreeWayResult) {
  const crm = yield* Crm
  const { crmContactId, locationId, tenantId, theirs } = link
  return yield* withAccess(tenantId, locationId, (access) =>
    Effect.gen(function* () {
      const now = Object.keys(changes).length === 0 ? theirs : yield* crm.updateContact(access, crmContactId, changes)
      const added = addTags.length === 0 ? theirs.tags : yield* crm.addTags(access, crmContactId, addTags)
      const tags = removeTags.length === 0 ? added : yield* crm.removeTags(access, crmContactId, removeTags)
      const answered: ReportedFields = {
        ...theirs,
        ...("name" in changes ? { name: now.name } : {}),
        ...("email" in changes ? { email: now.email } : {}),
        ...("phone" in changes ? { phone: now.phone } : {}),
        tags
      }
      return answered
    })
  )
})

/** Records that the CRM has accepted the values that were sent. Runs inside a unit of work. */
const noteArrival = Effect.fnUntraced(function* (link: CrmLink, theirs: ReportedFields) {
  const now = yield* Clock.currentTimeMillis
  const ours = link.sending ?? link.ours
  yield* (yield* CrmLinks).replace({ ...link, ours, theirs, sending: null, updatedAt: now }, link.version)
})

/**
 * Returns the links of a contact in a location. Changes are sent to only one link (`main`): the one with the contact's
 * address, otherwise the oldest. Further links exist after a merge. They are only read, because the CRM rejects a
 * second contact with the same address. `gone` means that all linked CRM contacts were deleted.
 */
const linksOf = Effect.fnUntraced(function* ({ contact, install }: ContactSync) {
  const all = yield* (yield* CrmLinks).ofContact(contact.tenantId, contact.contactId)
  const here = all.filter(({ locationId }) => locationId === install.locationId)
  const live = here.filter(({ goneAt }) => goneAt === null)
  const isSame = ({ theirs }: CrmLink) => theirs.email?.toLowerCase() === contact.email?.toLowerCase()
  const main = live.find(isSame) ?? live[0] ?? null
  return { main, others: live.filter((link) => link !== main), gone: main === null && here.length > 0 }
})

/**
 * Synchronises a local contact with one linked CRM contact. Returns false when the synchronisation must start again.
 */
const bring = Effect.fnUntraced(function* (syncing: ContactSync, link: CrmLink, isMain: boolean) {
  const { atomically } = yield* Transactions
  const { tenantId } = syncing.tenant
  return yield* Effect.gen(function* () {
    const remote = yield* remoteOf(syncing, link)
    const settled = yield* atomically(tenantId, settle(syncing, { link, remote, isMain }))
    if (settled === null || settled.quiet) return settled !== null
    const theirs = yield* send(settled.link, settled.together)
    yield* atomically(tenantId, noteArrival(settled.link, theirs))
    return true
  }).pipe(Effect.catchReason("ProviderFailure", "Gone", () => Effect.as(atomically(tenantId, noteGone(link)), true)))
})

/**
 * Synchronises one local contact with the CRM: reads the CRM's values, applies the CRM's changes, and sends local
 * changes. Only one worker at a time does so for a contact (`syncId`). Another worker can continue after a crash.
 * Returns true when the job is done, and false when it must run again because of a concurrent change.
 */
export const syncContact = Effect.fnUntraced(function* (syncing: ContactSync) {
  const { atomically } = yield* Transactions
  const { contact, install, tenant } = syncing
  const { gone, main, others } = yield* linksOf(syncing)
  const link = main ?? (gone ? null : yield* linkContactToCrm(tenant, install, contact))
  let done = true
  if (install.sync === "both") for (const other of others) done = (yield* bring(syncing, other, false)) && done
  if (link !== null) done = (yield* bring(syncing, link, true)) && done
  if (done) yield* atomically(tenant.tenantId, endJob(syncing))
  return done
}, withSpan("syncContact"))
