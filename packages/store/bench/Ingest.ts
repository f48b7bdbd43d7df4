import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import { noDeal } from "@leadloom/core/internal/domain/lead/Deal"
import type { Lead } from "@leadloom/core/internal/domain/lead/Lead"
import { Arrivals } from "@leadloom/core/internal/port/repository/conversation/Arrivals"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Threads } from "@leadloom/core/internal/port/repository/conversation/Threads"
import { Effect } from "effect"

const body = "Hello, I would like an offer for twelve windows and a door, with delivery in May. ".repeat(12)
const start = 1_760_000_000_000

/** The tenant of each thread, and the first character of all ids. "2" sorts them after those of a filled store. */
export interface Place {
  readonly tenantOf: (thread: number) => string
  readonly first: string
}

/** An empty store with five tenants. */
const emptyStore: Place = { tenantOf: (thread) => `tenant-${thread % 5}`, first: "0" }

const suffixOf = ({ first }: Place, index: number): string => first + String(index).padStart(25, "0")

/** Returns the contact of a thread, and its lead. */
const partiesOf = (thread: number, at: number, place: Place) => {
  const tenantId = place.tenantOf(thread)
  const suffix = suffixOf(place, thread)
  const times = { createdAt: at, updatedAt: at }
  const contact: Contact = {
    contactId: `con_${suffix}`,
    tenantId,
    name: `Person ${thread}`,
    email: `person.${thread}@customer.example`,
    phone: null,
    company: null,
    notes: null,
    tags: [],
    attributes: {},
    customFields: {},
    companyId: null,
    companyRemoved: false,
    ...times,
    archivedAt: null,
    mergedInto: null
  }
  const lead: Lead = {
    leadId: `lead_${suffix}`,
    tenantId,
    contactId: contact.contactId,
    threadId: `thr_${suffix}`,
    channel: "email",
    source: "import",
    subject: `Offer ${thread}`,
    state: "open",
    score: null,
    tier: null,
    factors: [],
    classification: null,
    assignee: null,
    assigneeId: null,
    teamId: null,
    ...noDeal,
    ...times,
    lastMessageAt: at,
    mergedInto: null
  }
  return { contact, lead }
}

/** Returns a mail of the benchmark. Three of ten open a thread; the others reply in one. */
export const mailOf = (index: number, place = emptyStore) => {
  const isNew = index % 10 < 3
  const thread = isNew ? index : Math.max(0, Math.floor(index / 10) * 10 - 10 + (index % 3))
  const at = start + index
  const { contact, lead } = partiesOf(thread, at, place)
  const { contactId, tenantId } = contact
  const ownId = `${place.first}${index}.4f2a@mail.customer.example`
  const message: Message = {
    messageId: `msg_${suffixOf(place, index)}`,
    tenantId,
    contactId,
    leadId: lead.leadId,
    threadId: lead.threadId,
    channel: "email",
    actor: "contact",
    body,
    htmlBody: `<p>${body}</p>`,
    quotedText: isNew ? null : body,
    subject: lead.subject,
    internetMessageId: ownId,
    receivedAlias: "sales@tenant.example",
    grantId: null,
    from: contact.email,
    to: ["sales@tenant.example"],
    cc: [],
    replyTo: [],
    references: [],
    threadRule: null,
    threadVia: null,
    authentication: null,
    providerMessageId: null,
    delivery: null,
    auto: null,
    flags: [],
    attachments: [],
    raw: null,
    source: "import",
    metadata: {},
    subjectContactId: null,
    userId: null,
    timestamp: at,
    receivedAt: at
  }
  return {
    isNew,
    thread,
    at,
    contact,
    lead,
    message,
    ownId,
    parentId: `${place.first}${thread}.4f2a@mail.customer.example`,
    threadId: `thr_${suffixOf(place, thread)}` as const,
    eventId: `evt_${suffixOf(place, index)}` as const,
    signalId: `sig_${suffixOf(place, index)}` as const,
    keys: [`mid:${ownId}`, `provider:imap:${place.first}${index}`, `hash:${String(index).padStart(64, "a")}`],
    emails: [contact.email ?? "", "sales@tenant.example"]
  }
}

/** Returns the tenant of a mail. */
export const tenantOf = (index: number): string => mailOf(index).message.tenantId

/** The state of a signal that no worker has started. */
const unstarted = { attempts: 0, unfinished: 0, suspect: false }

/** Writes the rows of an accepted mail, in the order of the workflow. */
export const ingest = Effect.fnUntraced(function* (index: number, place = emptyStore) {
  const { isNew, thread, threadId, at, contact, lead, message, ownId, parentId, eventId, signalId, keys, emails } =
    mailOf(index, place)
  const { tenantId, contactId, messageId } = message
  const contacts = yield* Contacts
  const threads = yield* Threads
  const leads = yield* Leads
  const messages = yield* Messages
  const identity = { kind: "email", value: contact.email ?? "" } as const
  yield* messages.holders(tenantId, keys)
  yield* contacts.holders(tenantId, [identity])
  yield* threads.known(tenantId, [ownId, parentId])
  if (isNew) {
    yield* contacts.insert(contact)
    yield* contacts.attach(tenantId, contactId, [identity], at)
    yield* threads.insert({
      threadId,
      tenantId,
      leadId: null,
      baseSubject: `offer ${thread}`,
      createdAt: at,
      corrected: false
    })
    yield* leads.insert(lead)
    yield* threads.setLead(tenantId, threadId, lead.leadId)
  } else {
    yield* threads.find(tenantId, threadId)
    yield* threads.participants(tenantId, threadId, [identity.value])
    yield* leads.get(tenantId, lead.leadId)
    yield* leads.update(lead)
  }
  yield* threads.register(tenantId, [
    { id: ownId, threadId, seen: true, weak: false },
    { id: parentId, threadId, seen: false, weak: false }
  ])
  yield* threads.addParticipants(tenantId, threadId, emails)
  yield* messages.insert(message, keys)
  yield* (yield* Conversations).advance(message)
  const signal = { signalId, tenantId, messageId, contactId, leadId: lead.leadId, ...unstarted }
  yield* (yield* Signals).enqueue(signal, at, at + 30_000)
  yield* (yield* Events).append(tenantId, [
    {
      eventId,
      type: isNew ? "lead.received" : "lead.contact_replied",
      tenantId,
      timestamp: at,
      data: { lead_id: lead.leadId, contact_id: contactId, channel: "email", subject: lead.subject }
    }
  ])
  yield* (yield* Arrivals).record({
    arrivalId: messageId,
    tenantId,
    channel: "email",
    source: "import",
    outcome: "message",
    messageId,
    detail: null,
    receivedAt: at
  })
})
