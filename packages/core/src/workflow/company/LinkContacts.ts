import { Clock, Effect } from "effect"
import { companyDomainsOf } from "../../domain/company/Company.ts"
import { type LinkJob, linkedAtOnce, linkJobId, partsPerAttempt } from "../../domain/company/LinkJob.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { done, type JobOutcome, type QueuedJob } from "../../domain/job/Job.ts"
import { Companies, type LinkableContact } from "../../port/repository/contact/Companies.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { withCompany } from "../contact/LinkCompany.ts"
import { recordEvents } from "../webhook/Outbox.ts"

/** Queues the link of existing contacts to a company with a new domain. Runs inside the unit of work of the change. */
export const queueLinks = Effect.fnUntraced(function* (tenantId: string, domain: string, now: number) {
  const job: LinkJob = { kind: "link_company", domain, after: "" }
  yield* (yield* Jobs).put({ tenantId, jobId: linkJobId(domain), dueAt: now, createdAt: now, job })
})

/** Links contacts to the companies of their addresses. Runs inside a unit of work, so it reads each contact again. */
const linkContacts = Effect.fnUntraced(function* (tenantId: string, found: ReadonlyArray<LinkableContact>) {
  const contacts = yield* Contacts
  const now = yield* Clock.currentTimeMillis
  const linked: Array<Contact> = []
  for (const { contactId } of found) {
    // The contact may have been erased since.
    const before = yield* Effect.catchTag(contacts.get(tenantId, contactId), "ContactNotFound", () =>
      Effect.succeed(null)
    )
    if (before === null || before.mergedInto !== null) continue
    const after = yield* withCompany(before)
    if (after !== before) linked.push({ ...after, updatedAt: now })
  }
  const writes = linked.map((contact) => ({ contact, isNew: false, identities: [] }))
  yield* contacts.write(tenantId, writes, now)
  yield* recordEvents(
    linked.map((contact) => contactEvent("contact.updated", contact)),
    now
  )
})

/** Runs one step of a job. The units of work of a step that fails remain, and the next attempt repeats the others. */
export const runLinkJob = Effect.fnUntraced(function* ({ job, tenantId }: QueuedJob<LinkJob>) {
  const { linkableContacts } = yield* Companies
  const { atomically } = yield* Transactions
  let { after } = job
  for (let parts = 0; parts < partsPerAttempt; parts++) {
    const { contacts, last } = yield* linkableContacts(tenantId, after, linkedAtOnce)
    const matching = contacts.filter(({ email }) => companyDomainsOf(email).includes(job.domain))
    if (matching.length > 0) yield* atomically(tenantId, linkContacts(tenantId, matching))
    if (last === null) return done
    after = last
  }
  const dueAt = yield* Clock.currentTimeMillis
  return { _tag: "Later", dueAt, job: { ...job, after }, reason: null } satisfies JobOutcome
})
