import { Effect } from "effect"
import { identityKey } from "../../domain/contact/Identity.ts"
import { ContactMerges } from "../../port/repository/contact/ContactMerges.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { type ContactIdentity, identitiesOfRecord } from "./ReadIdentities.ts"
import { requireUnmergedContact } from "./ResolveMergedContact.ts"
import { withSpan } from "../WithSpan.ts"

/** Orders identities by kind and value. Clients of released versions rely on this order. */
const byKey = ({ identity: one }: ContactIdentity, { identity: other }: ContactIdentity): number =>
  identityKey(one) < identityKey(other) ? -1 : 1

/**
 * The maximum number of messages, leads, tasks and merges in the details of a contact. The timeline contains the
 * others.
 */
export const maxShownPerList = 20

/** The number at which counting messages stops. A result of this number means "this many or more". */
export const maxCountedMessages = 1_000

/** The maximum number of leads in which open leads and the latest score are searched. */
const leadsLookedAt = 100

const isOpen = (state: string): boolean => state !== "won" && state !== "lost" && state !== "archived"

/**
 * Returns the data about a contact that an agent needs before answering. Each list has at most `maxShownPerList`
 * entries.
 */
export const readContactDetail = Effect.fnUntraced(function* (tenantId: string, contactId: string) {
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
    identities: (yield* identitiesOfRecord(contact)).toSorted(byKey),
    /** Of the leads with a score, the one with the newest message. */
    scored: leads.find(({ score }) => score !== null) ?? null,
    first,
    counts: { messages: count, leads: leads.length, openLeads: open.length, openTasks: tasks.length },
    openLeads: open.slice(0, maxShownPerList),
    latest: (yield* messages.before(tenantId, id, null, maxShownPerList)).toReversed(),
    draft: yield* (yield* Drafts).pending(tenantId, id),
    tasks,
    merges: yield* (yield* ContactMerges).ofPrimary(tenantId, id, maxShownPerList)
  }
}, withSpan("readContactDetail"))
