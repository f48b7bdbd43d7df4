/**
 * Random histories of a tenant for tests of reports: messages, failed sends, closings, changes of teams, tags and hours,
 * merges and erasures. The history keeps its own list of all events, from which `ReportModel` counts again.
 */
import type { ConversationChange } from "@leadloom/core/internal/domain/conversation/ConversationChange"
import type { Delivery } from "@leadloom/core/internal/domain/conversation/Message"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Teams } from "@leadloom/core/internal/port/repository/tenant/Teams"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { updateConversation } from "@leadloom/core/internal/workflow/conversation/UpdateConversation"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { followTenant } from "@leadloom/core/internal/workflow/report/FollowReports"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { updateUser } from "@leadloom/core/internal/workflow/user/Users"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { contactRecord, idOf, messageRecord } from "../Records.ts"
import { acme } from "../Scene.ts"
import { teamRecord, userRecord } from "../WorkspaceRecords.ts"

const minute = 60_000

const contact = fc.integer({ min: 1, max: 3 })

const message = fc.record({
  kind: fc.constant("message" as const),
  contact,
  actor: fc.constantFrom("contact" as const, "contact" as const, "agent" as const, "assistant" as const),
  channel: fc.constantFrom("email" as const, "sms" as const),
  user: fc.constantFrom(null, 1, 2),
  auto: fc.constantFrom(null, null, null, "auto_reply" as const),
  /** Whether an answer waits for its delivery after its creation. */
  isQueued: fc.constantFrom(false, false, true),
  /** The age of the message at its arrival, in minutes. */
  age: fc.constantFrom(0, 0, 0, 30, 3_000)
})

const change: fc.Arbitrary<ConversationChange> = fc.oneof(
  fc.record({ state: fc.constantFrom("closed" as const, "closed" as const, "open" as const) }),
  fc.record({ teamId: fc.constantFrom(null, idOf("team", 1), idOf("team", 2)) }),
  fc.record({ tags: fc.subarray(["urgent", "roof", "vip"]) })
)

const step = fc.oneof(
  { weight: 9, arbitrary: message },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("change" as const), contact, change }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fail" as const), number: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("send" as const), number: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("count" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("zone" as const),
      zone: fc.constantFrom("America/New_York", "Asia/Kolkata", "UTC")
    })
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("hours" as const), to: fc.constantFrom("12:30", "20:00") }) }
)

/** A history: steps with the minutes before each, and the positions of the merge and of the erasure. */
export const histories = fc.record({
  steps: fc.array(fc.tuple(fc.integer({ min: 1, max: 600 }), step), { minLength: 40, maxLength: 70 }),
  mergeAt: fc.integer({ min: 10, max: 39 }),
  eraseAt: fc.integer({ min: 10, max: 39 })
})

export type History = typeof histories extends fc.Arbitrary<infer A> ? A : never

type Step = History["steps"][number][1]

/** A message of the history. */
export interface SaidMessage extends Omit<Extract<Step, { kind: "message" }>, "kind" | "age" | "isQueued"> {
  readonly number: number
  readonly at: number
  readonly receivedAt: number
  /** Null for messages of contacts. */
  delivery: Delivery | null
  contact: number
}

/** A closing or reopening by a person. */
export interface StateChange {
  readonly state: "closed" | "open"
  readonly at: number
  contact: number
}

/** All events of a history, as far as they are not erased. */
export interface Events {
  messages: Array<SaidMessage>
  changes: Array<StateChange>
  isMerged: boolean
  isErased: boolean
}

/** The contact to whom the messages of a contact belong after the merge of contact 2 into contact 1. */
const holderOf = ({ isMerged }: Events, number: number): number => (isMerged && number === 2 ? 1 : number)

const say = Effect.fnUntraced(function* (events: Events, said: Extract<Step, { kind: "message" }>) {
  const holder = holderOf(events, said.contact)
  if (events.isErased && holder === 3) return
  const receivedAt = yield* Clock.currentTimeMillis
  const number = events.messages.length + 1
  const at = receivedAt - said.age * minute
  const delivery = said.actor === "contact" ? null : said.isQueued ? "queued" : "sent"
  const record = messageRecord("acme", number, {
    contactId: idOf("con", holder),
    actor: said.actor,
    channel: said.channel,
    auto: said.auto,
    source: `source-${number % 2}`,
    userId: said.user === null || said.actor !== "agent" ? null : idOf("usr", said.user),
    delivery,
    timestamp: at,
    receivedAt
  })
  yield* (yield* Messages).insert(record, [])
  yield* (yield* Conversations).advance(record)
  events.messages.push({ ...said, contact: holder, number, at, receivedAt, delivery })
})

const changeState = Effect.fnUntraced(function* (events: Events, number: number, wanted: ConversationChange) {
  const holder = holderOf(events, number)
  const contactId = idOf("con", holder)
  const before = yield* Effect.option((yield* Conversations).get("acme", contactId))
  if (before._tag === "None") return
  const after = yield* updateConversation("acme", contactId, wanted, null)
  const isClosed = after.state === "closed"
  if (isClosed === (before.value.state === "closed")) return
  const at = yield* Clock.currentTimeMillis
  events.changes.push({ state: isClosed ? "closed" : "open", at, contact: holder })
})

const deliver = Effect.fnUntraced(function* (events: Events, number: number, delivery: Delivery) {
  const found = events.messages.find((one) => one.number === number && one.actor !== "contact")
  if (found === undefined) return
  yield* (yield* Messages).setDelivery("acme", idOf("msg", number), delivery)
  found.delivery = delivery
})

const setZone = Effect.fnUntraced(function* (timeZone: string) {
  const { config } = yield* (yield* Tenants).get("acme")
  yield* saveConfig("acme", { ...config, timeZone })
})

const carryOut = (events: Events, one: Step) => {
  if (one.kind === "message") return say(events, one)
  if (one.kind === "change") return changeState(events, one.contact, one.change)
  if (one.kind === "fail") return deliver(events, one.number, one.number % 2 === 0 ? "failed" : "bounced")
  if (one.kind === "send") return deliver(events, one.number, one.number % 3 === 0 ? "delivered" : "sent")
  if (one.kind === "count") return followTenant("acme")
  if (one.kind === "zone") return setZone(one.zone)
  const workingHours = [{ days: ["mon", "tue", "wed", "sat"] as const, from: "07:15", to: one.to }]
  return updateUser("acme", idOf("usr", 1), { workingHours, timeZone: "Asia/Tokyo" })
}

const merge = Effect.fnUntraced(function* (events: Events) {
  yield* mergeContacts("acme", idOf("con", 1), idOf("con", 2))
  events.isMerged = true
  for (const item of [...events.messages, ...events.changes]) item.contact = holderOf(events, item.contact)
})

const erase = Effect.fnUntraced(function* (events: Events) {
  const contactId = idOf("con", 3)
  yield* eraseContact({ tenantId: "acme", contactId, confirm: contactId, requestedBy: "kim" })
  events.isErased = true
  for (const item of events.messages) if (item.contact === 3) item.contact = 0
  events.changes = events.changes.filter((item) => item.contact !== 3)
})

/** Carries out a history, and returns its events. Erased messages belong to contact 0. */
export const live = Effect.fnUntraced(function* (history: History) {
  yield* acme.open({ timeZone: "America/New_York" })
  for (const number of [1, 2]) {
    yield* (yield* Users).insert(userRecord("acme", number))
    yield* (yield* Teams).insert(teamRecord("acme", number))
  }
  for (const number of [1, 2, 3]) yield* (yield* Contacts).insert(contactRecord("acme", number))
  const events: Events = { messages: [], changes: [], isMerged: false, isErased: false }
  for (const [index, [minutes, one]] of history.steps.entries()) {
    yield* TestClock.adjust(minutes * minute)
    yield* carryOut(events, one)
    if (index === history.mergeAt) yield* merge(events)
    if (index === history.eraseAt) yield* erase(events)
  }
  return events
})
