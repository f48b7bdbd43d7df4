import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import type { Identity } from "@leadloom/core/internal/domain/contact/Identity"
import type { Channel } from "@leadloom/core/internal/domain/Channel"
import type { ContactListRow, ContactListFilter } from "@leadloom/core/internal/domain/contact/ContactSummary"
import { Activities, Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Calls } from "@leadloom/core/internal/port/repository/conversation/Calls"
import { ContactSummaries } from "@leadloom/core/internal/port/repository/contact/ContactSummaries"
import { ReadMarks } from "@leadloom/core/internal/port/repository/conversation/ReadMarks"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { GuardEvaluations } from "@leadloom/core/internal/port/repository/pipeline/GuardEvaluations"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Runs } from "@leadloom/core/internal/port/repository/pipeline/Runs"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import { Notes } from "@leadloom/core/internal/port/repository/conversation/Notes"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import fc from "fast-check"
import { guardRecord } from "../tenant/ConfigSuite.ts"
import {
  callRecord,
  contactRecord,
  draftRecord,
  idOf,
  leadRecord,
  messageRecord,
  noon,
  runRecord,
  sendRecord,
  taskRecord,
  tenantRecord
} from "../Records.ts"
import { noteRecord } from "../WorkspaceRecords.ts"
import { newestConversations } from "../NewestConversations.ts"

const small = (max: number) => fc.nat({ max })
const maybe = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { freq: 2 })

/** The numbers of the contacts. */
export const people = [0, 1, 2] as const
const leadCount = 4
const email = (number: number): string => `address.${number}@customer.example`
const phones = ["+14155550123", "+14155550124"] as const

/** Returns an identity: one of four addresses or two phone numbers. */
const identityOf = (number: number): Identity => {
  const phone = phones[number - 4]
  return phone === undefined ? { kind: "email", value: email(number) } : { kind: "phone", value: phone }
}
const identityCount = 4 + phones.length

const record = fc.record({
  name: maybe(fc.constantFrom("Jo", "Ann")),
  email: maybe(small(3).map(email)),
  phone: maybe(fc.constantFrom(...phones)),
  company: maybe(fc.constantFrom("Roofs", "Walls")),
  notes: maybe(fc.constantFrom("tall", "small")),
  tags: fc.uniqueArray(fc.constantFrom("vip", "late", "ärger"), { maxLength: 3 }),
  attributes: fc.dictionary(fc.constantFrom("size", "due"), fc.oneof(fc.integer(), fc.boolean(), fc.constant(null))),
  archivedAt: maybe(fc.constant(noon))
})

const said = fc.record({
  by: small(2),
  lead: maybe(small(leadCount - 1)),
  actor: fc.constantFrom("contact" as const, "agent" as const),
  from: maybe(small(identityCount - 1)),
  minutes: small(9),
  alias: fc.constantFrom(null, "a@x.example", "b@x.example"),
  read: fc.boolean()
})

/** Random data: three contacts with all kinds of rows in any combination. */
export const worlds = fc.record({
  contacts: fc.tuple(record, record, record),
  identities: fc.array(small(2), { minLength: identityCount, maxLength: identityCount }),
  leads: fc.array(
    fc.record({ of: small(2), minutes: small(9), tier: fc.constantFrom(null, "hot" as const, "cold" as const) }),
    {
      minLength: leadCount,
      maxLength: leadCount
    }
  ),
  messages: fc.array(said, { maxLength: 12 }),
  tasks: fc.array(fc.record({ of: small(2), lead: maybe(small(leadCount - 1)) }), { maxLength: 4 }),
  drafts: fc.array(fc.record({ of: small(2), lead: maybe(small(leadCount - 1)) }), { maxLength: 4 }),
  activities: fc.array(fc.record({ of: small(2), lead: maybe(small(leadCount - 1)), minutes: small(9) }), {
    maxLength: 4
  })
})

export type World = typeof worlds extends fc.Arbitrary<infer A> ? A : never
type Said = typeof said extends fc.Arbitrary<infer A> ? A : never

/** Returns sender and recipient of a message. A text of the tenant is sent to the number of the contact. */
const sides = (value: string | null, actor: Said["actor"]) =>
  value !== null && actor === "agent" ? { from: "+15550001111", to: [value] } : { from: value }

/** Stores a message with a given time of acceptance. */
export const say = Effect.fnUntraced(function* (
  tenantId: string,
  number: number,
  { actor, alias, by, from, lead, minutes, read }: Said,
  receivedAt: number,
  channel: Channel = from === null || from < 4 ? "email" : "sms"
) {
  const message = messageRecord(tenantId, number, {
    contactId: idOf("con", by),
    leadId: lead === null ? null : idOf("lead", lead),
    actor,
    channel,
    ...sides(from === null ? null : identityOf(from).value, actor),
    receivedAlias: alias,
    timestamp: noon + minutes * 60_000,
    receivedAt
  })
  const conversations = yield* Conversations
  yield* (yield* Messages).insert(message, [`mid:${number}`])
  yield* conversations.advance(message)
  if (read) yield* (yield* ReadMarks).read(tenantId, idOf("con", by), null)
  const about = { contactId: message.contactId, leadId: message.leadId }
  yield* (yield* Runs).insert(runRecord(tenantId, number, { ...about, messageId: message.messageId }))
  yield* (yield* Sends).reserve(sendRecord(tenantId, number, about))
  const { contactId, messageId } = message
  yield* (yield* GuardEvaluations).insert(tenantId, [guardRecord(tenantId, number, { contactId, messageId })])
})

const build = Effect.fnUntraced(function* (tenantId: string, world: World) {
  const contacts = yield* Contacts
  for (const [number, fields] of world.contacts.entries()) {
    yield* contacts.insert(contactRecord(tenantId, number, fields))
  }
  for (const [number, holder] of world.identities.entries()) {
    yield* contacts.attach(tenantId, idOf("con", holder), [identityOf(number)], noon)
  }
  yield* contacts.attach(tenantId, idOf("con", 0), [{ kind: "external", value: "4:2", source: "a shop" }], noon)
  for (const [number, { minutes, of, tier }] of world.leads.entries()) {
    const contactId = idOf("con", of)
    const score = tier === null ? null : 50
    yield* (yield* Leads).insert(
      leadRecord(tenantId, number, { contactId, tier, score, lastMessageAt: noon + minutes * 60_000 })
    )
  }
  for (const [number, message] of world.messages.entries()) yield* say(tenantId, number, message, noon + number)
})

const leadOf = (lead: number | null) => (lead === null ? null : idOf("lead", lead))

/** Writes the random data to a new tenant. */
export const makeWorld = Effect.fnUntraced(function* (tenantId: string, world: World) {
  yield* (yield* Tenants).insert(tenantRecord(tenantId))
  yield* build(tenantId, world)
  for (const [number, { lead, of }] of world.tasks.entries()) {
    yield* (yield* Tasks).insert(taskRecord(tenantId, number, { contactId: idOf("con", of), leadId: leadOf(lead) }))
  }
  for (const [number, { lead, of }] of world.drafts.entries()) {
    yield* (yield* Drafts).propose(draftRecord(tenantId, number, { contactId: idOf("con", of), leadId: leadOf(lead) }))
  }
  for (const [number, { lead, minutes, of }] of world.activities.entries()) {
    yield* (yield* Notes).insert(noteRecord(tenantId, number, { contactId: idOf("con", of) }))
    yield* (yield* Activities).insert({
      activityId: `act_${number}`,
      tenantId,
      contactId: idOf("con", of),
      leadId: leadOf(lead),
      type: "notes_changed",
      actor: "agent",
      userId: null,
      userName: null,
      at: noon + minutes * 60_000,
      data: { notes: "n" }
    })
  }
})

const walks: ReadonlyArray<ContactListFilter> = [
  { by: "nothing" },
  { by: "tag", value: "vip" },
  { by: "tier", value: "hot" },
  { by: "state", value: "open" },
  { by: "channel", value: "email" }
]

const listed = Effect.fnUntraced(function* (tenantId: string) {
  const summaries = yield* ContactSummaries
  const found: Array<ReadonlyArray<ContactListRow>> = []
  for (const archived of [false, true]) {
    for (const filter of walks) {
      found.push(yield* summaries.walk({ tenantId, archived, filter, activeAfter: -1, after: null, limit: 9 }))
    }
  }
  return found
})

/** Removes times of the system clock, which differ in every run. */
const steady = (contact: Contact): Contact => ({
  ...contact,
  updatedAt: contact.updatedAt > noon + 1e9 ? 0 : contact.updatedAt,
  archivedAt: contact.archivedAt !== null && contact.archivedAt > noon + 1e9 ? 1 : contact.archivedAt
})

/** Returns all data of one contact. */
const stateOf = Effect.fnUntraced(function* (tenantId: string, number: number) {
  const contactId = idOf("con", number)
  const contacts = yield* Contacts
  const messages = yield* (yield* Messages).ofContact(tenantId, contactId)
  const activities = yield* (yield* Activities).before(tenantId, contactId, null, 99)
  const head = yield* (yield* Conversations).head(tenantId, contactId)
  return {
    contact: steady(yield* contacts.get(tenantId, contactId)),
    identities: yield* contacts.identitiesOf(tenantId, contactId),
    head: head === null ? null : { ...head, aliases: [...head.aliases].toSorted() },
    messages,
    leads: yield* (yield* Leads).ofContact(tenantId, contactId, 99),
    tasks: yield* (yield* Tasks).ofContact(tenantId, contactId),
    notes: yield* (yield* Notes).before(tenantId, contactId, null, 99),
    calls: yield* (yield* Calls).page(tenantId, { contactId, status: null, direction: null }, 99, null),
    draft: yield* (yield* Drafts).pending(tenantId, contactId),
    guarded: yield* (yield* GuardEvaluations).page(tenantId, { contactId, guardrailId: null, outcome: null }, 99, null),
    activities: activities.filter(({ type }) => !type.endsWith("merged")),
    runs: yield* Effect.forEach(messages, ({ messageId }) =>
      Effect.flatMap(Runs, (runs) => runs.ofSignal(tenantId, messageId.replace("msg", "sig")))
    ),
    sends: yield* Effect.forEach(messages, ({ messageId }) =>
      Effect.flatMap(Sends, (sends) => sends.find(tenantId, messageId))
    )
  }
})

/** Returns all data of the tenant. */
export const worldState = Effect.fnUntraced(function* (tenantId: string) {
  const conversations = yield* newestConversations(tenantId, 9)
  return {
    people: yield* Effect.forEach(people, (number) => stateOf(tenantId, number)),
    conversations,
    ofAlias: yield* newestConversations(tenantId, 9, "a@x.example"),
    lists: yield* listed(tenantId)
  }
})

/** Random events of a contact after another contact was merged into it. */
export const eventSequences = fc.array(
  fc.oneof(
    fc.record({ said, newLead: fc.boolean() }),
    fc.record({ fields: fc.record({ name: maybe(fc.constant("Kim")), notes: maybe(fc.constantFrom("tall", "new")) }) }),
    fc.record({ tags: fc.uniqueArray(fc.constantFrom("vip", "late", "other")) }),
    fc.record({ call: said, inbound: fc.boolean(), reported: fc.boolean() }),
    fc.record({ draft: maybe(small(leadCount - 1)) }),
    fc.record({ task: maybe(small(leadCount - 1)) })
  ),
  { maxLength: 6 }
)

export type EventSequence = typeof eventSequences extends fc.Arbitrary<infer A> ? A : never

/** Stores a call with a contact, and optionally the message about it. */
const ring = Effect.fnUntraced(function* (
  tenantId: string,
  number: number,
  { call, inbound, reported }: { readonly call: Said; readonly inbound: boolean; readonly reported: boolean },
  at: number
) {
  const phone = call.from === null ? null : identityOf(call.from).value
  if (reported) yield* say(tenantId, number, { ...call, from: null }, at, "voice")
  yield* (yield* Calls).insert(
    callRecord(tenantId, number, {
      contactId: idOf("con", call.by),
      leadId: leadOf(call.lead),
      direction: inbound ? "inbound" : "outbound",
      ...(inbound ? { fromNumber: phone } : { toNumber: phone }),
      messageId: reported ? idOf("msg", number) : null,
      startedAt: at
    })
  )
})

/** A time after all random data and after the system clock. */
const later = noon + 1e12

/** Applies events to a contact. */
export const applyEvents = Effect.fnUntraced(function* (tenantId: string, to: number, steps: EventSequence) {
  const contactId = idOf("con", to)
  const contacts = yield* Contacts
  for (const [index, step] of steps.entries()) {
    const [number, at] = [100 + index, later + index]
    if ("said" in step) {
      const lead = step.newLead ? number : step.said.lead
      if (step.newLead) yield* (yield* Leads).insert(leadRecord(tenantId, number, { contactId, createdAt: at }))
      yield* say(tenantId, number, { ...step.said, lead, by: to }, at)
    } else if ("call" in step) {
      yield* ring(tenantId, number, { ...step, call: { ...step.call, by: to } }, at)
    } else if ("draft" in step) {
      const about = { contactId, leadId: leadOf(step.draft), createdAt: at }
      yield* (yield* Drafts).propose(draftRecord(tenantId, number, about))
    } else if ("task" in step) {
      const about = { contactId, leadId: leadOf(step.task), createdAt: at }
      yield* (yield* Tasks).insert(taskRecord(tenantId, number, about))
    } else {
      const current = yield* contacts.get(tenantId, contactId)
      const fields = "fields" in step ? step.fields : step
      yield* contacts.update({ ...current, ...fields, updatedAt: noon + 50 })
    }
  }
})
