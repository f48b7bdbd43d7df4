import { Effect } from "effect"
import { ContactMerges } from "../../port/repository/contact/ContactMerges.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Identity } from "../../domain/contact/Identity.ts"
import { requireUnmergedContact } from "./ResolveMergedContact.ts"

/** Messages, leads, tasks and merges that a detail shows at most; the timeline has the rest. */
export const maxShownPerList = 20

/** Messages that are counted at most: this many means "this many or more". */
export const maxCountedMessages = 1_000

/** Leads that are looked through for open ones and for the latest score. */
const leadsLookedAt = 100

const isOpen = (state: string): boolean => state !== "won" && state !== "lost" && state !== "archived"

const reachability = Effect.fnUntraced(function* (tenantId: string, contact: Contact) {
  const contacts = yield* Contacts
  const identities = yield* contacts.identitiesOf(tenantId, contact.contactId)
  return yield* Effect.forEach(identities, (identity: Identity) =>
    Effect.map(
      identity.kind === "email" ? contacts.undeliverable(tenantId, identity.value) : Effect.succeed(null),
      (undeliverable) => ({ identity, undeliverable })
    )
  )
})

/** Everything an agent needs to see of a contact before answering it. What is long is cut: see `maxShownPerList`. */
export const readContactDetail = Effect.fn("readContactDetail")(function* (tenantId: string, contactId: string) {
  const contact = yield* requireUnmergedContact(tenantId, contactId)
  const id = contact.contactId
  const messages = yield* Messages
  const { count, first } = yield* messages.extent(tenantId, id, maxCountedMessages)
  const all = yield* (yield* Leads).ofContact(tenantId, id, leadsLookedAt)
  const leads = all.filter(({ mergedInto }) => mergedInto === null)
  const open = leads.filter(({ state }) => isOpen(state))
  const tasks = yield* (yield* Tasks).openOfContact(tenantId, id, maxShownPerList)
  return {
    contact,
    identities: yield* reachability(tenantId, contact),
    /** Of the lead with the newest message, among those that were scored. */
    scored: leads.find(({ score }) => score !== null) ?? null,
    first,
    counts: { messages: count, leads: leads.length, openLeads: open.length, openTasks: tasks.length },
    openLeads: open.slice(0, maxShownPerList),
    latest: (yield* messages.before(tenantId, id, null, maxShownPerList)).toReversed(),
    draft: yield* (yield* Drafts).pending(tenantId, id),
    tasks,
    merges: yield* (yield* ContactMerges).ofPrimary(tenantId, id, maxShownPerList)
  }
})
