import { assert, describe, it } from "@effect/vitest"
import type { Message } from "@leadloom/core/domain/conversation/Message"
import type { KnownId } from "@leadloom/core/domain/email/thread/ThreadRecord"
import { Contacts } from "@leadloom/core/port/repository/Contacts"
import { Conversations } from "@leadloom/core/port/repository/Conversations"
import { Leads } from "@leadloom/core/port/repository/Leads"
import { layer as memory } from "@leadloom/core/memory/MemoryStore"
import { Messages } from "@leadloom/core/port/repository/Messages"
import { RateLimits } from "@leadloom/core/port/system/RateLimits"
import { Sends } from "@leadloom/core/port/repository/Sends"
import { Signals } from "@leadloom/core/port/repository/Signals"
import { Threads } from "@leadloom/core/port/repository/Threads"
import { Effect, ManagedRuntime } from "effect"
import fc from "fast-check"
import type { Store, StoreLayer } from "../World.ts"
import {
  contactRecord,
  freshTenant,
  idOf,
  leadRecord,
  messageRecord,
  noon,
  sendRecord,
  signalRecord,
  threadRecord
} from "../Records.ts"

const small = (max: number) => fc.nat({ max })

/** Steps on conversations: messages in any order, and reading marks. */
const conversationSteps = fc.array(
  fc.oneof(
    fc.record({
      contact: small(3),
      minutes: small(6),
      actor: fc.constantFrom("contact" as const, "agent" as const),
      auto: fc.constantFrom(null, null, "auto_reply" as const, "own" as const),
      delivery: fc.constantFrom(null, null, "failed" as const, "sent" as const),
      lead: fc.option(small(2)),
      alias: fc.constantFrom(null, "a@x.example", "b@x.example")
    }),
    fc.record({ read: small(3), upTo: fc.option(small(25)) })
  ),
  { maxLength: 25 }
)

const conversations = (tenantId: string, steps: typeof conversationSteps extends fc.Arbitrary<infer A> ? A : never) =>
  Effect.gen(function* () {
    const heads = yield* Conversations
    for (const contact of [0, 1, 2, 3]) yield* (yield* Contacts).insert(contactRecord(tenantId, contact))
    for (const [number, step] of steps.entries()) {
      if ("read" in step) {
        const contactId = idOf("con", step.read)
        const marked =
          step.upTo === null
            ? heads.markRead(tenantId, contactId)
            : heads.markReadUpTo(tenantId, contactId, idOf("msg", step.upTo))
        yield* Effect.exit(marked)
        continue
      }
      const message: Message = messageRecord(tenantId, number, {
        contactId: idOf("con", step.contact),
        timestamp: noon + step.minutes * 60_000,
        actor: step.actor,
        auto: step.auto,
        delivery: step.delivery,
        leadId: step.lead === null ? null : idOf("lead", step.lead),
        receivedAlias: step.alias
      })
      yield* (yield* Messages).insert(message, [])
      yield* heads.advance(message)
    }
    yield* (yield* Messages).moveLead(tenantId, idOf("lead", 0), [idOf("lead", 1)])
    const pages = yield* Effect.forEach([null, "a@x.example", "b@x.example"], (alias) =>
      Effect.gen(function* () {
        const first = yield* heads.page(tenantId, 2, null, alias)
        const last = first.at(-1)
        return [first, last === undefined ? [] : yield* heads.page(tenantId, 9, last, alias)]
      })
    )
    const histories = yield* Effect.forEach([0, 1, 2, 3], (contact) =>
      Effect.flatMap(Messages, (messages) => messages.ofContact(tenantId, idOf("con", contact)))
    )
    const since = yield* Effect.forEach(steps, (_, number) =>
      Effect.flatMap(Messages, (messages) =>
        messages.newestSince(tenantId, idOf("con", number % 4), idOf("msg", number))
      )
    )
    return { pages, histories, since }
  })

/** Steps on threads: ids seen or referred to, people, and merges. */
const threadSteps = fc.array(
  fc.oneof(
    fc.record({ id: small(4), thread: small(3), seen: fc.boolean(), weak: fc.boolean() }),
    fc.record({ person: small(2), thread: small(3) }),
    fc.record({ into: small(3), from: fc.array(small(3), { maxLength: 2 }) })
  ),
  { maxLength: 25 }
)

const threads = (tenantId: string, steps: typeof threadSteps extends fc.Arbitrary<infer A> ? A : never) =>
  Effect.gen(function* () {
    const index = yield* Threads
    for (const thread of [0, 1, 2, 3]) yield* index.insert(threadRecord(tenantId, thread))
    for (const step of steps) {
      if ("into" in step) {
        const from = step.from.map((thread) => idOf("thr", thread))
        yield* index.merge(tenantId, idOf("thr", step.into), from)
      } else if ("person" in step) {
        yield* index.addParticipants(tenantId, idOf("thr", step.thread), [`person.${step.person}`])
      } else {
        const known: KnownId = {
          id: `${step.id}@x`,
          threadId: idOf("thr", step.thread),
          seen: step.seen,
          weak: step.weak
        }
        yield* index.register(tenantId, [known])
      }
    }
    const known = yield* index.known(tenantId, ["0@x", "1@x", "2@x", "3@x", "4@x"])
    const people = yield* Effect.forEach([0, 1, 2, 3], (thread) =>
      index.participants(tenantId, idOf("thr", thread), ["person.0", "person.1", "person.2"])
    )
    const left = yield* Effect.forEach([0, 1, 2, 3], (thread) => index.find(tenantId, idOf("thr", thread)))
    return {
      known: known.map((row) => JSON.stringify(row)).toSorted(),
      people: people.map((set) => [...set].toSorted()),
      left
    }
  })

/** Steps on the queue, each at a time of its own. */
const signalSteps = fc.array(
  fc.record({
    step: fc.constantFrom("enqueue" as const, "claim" as const, "finish" as const, "release" as const),
    number: small(6),
    at: small(20),
    lease: small(30)
  }),
  { maxLength: 30 }
)

const signals = (tenantId: string, steps: typeof signalSteps extends fc.Arbitrary<infer A> ? A : never) =>
  Effect.gen(function* () {
    const queue = yield* Signals
    const seen: Array<unknown> = []
    for (const { step, number, at, lease } of steps) {
      const now = noon + at
      if (step === "enqueue") {
        const queued = queue.enqueue(signalRecord(tenantId, number), now, lease < 10 ? 0 : noon + lease)
        seen.push((yield* Effect.exit(queued))._tag)
      } else if (step === "claim") {
        // The queue is of all tenants: what other runs have left is taken along and not compared.
        const claimed = yield* queue.claim(1_000, now, noon + lease)
        seen.push(claimed.filter((signal) => signal.tenantId === tenantId))
      } else if (step === "finish") seen.push(yield* queue.finish(tenantId, idOf("sig", number), "done", now))
      else yield* queue.release(tenantId, idOf("sig", number), noon + lease, "again")
    }
    return seen
  })

/** Requests that are counted, at any time and by rules that change. */
const rateSteps = fc.array(
  fc.record({
    tenant: fc.boolean(),
    key: small(1),
    limit: fc.integer({ min: 1, max: 4 }),
    window: fc.constantFrom(5, 9),
    at: small(20)
  }),
  { maxLength: 30 }
)

const rates = (tenantId: string, steps: typeof rateSteps extends fc.Arbitrary<infer A> ? A : never) =>
  Effect.gen(function* () {
    const { consume } = yield* RateLimits
    return yield* Effect.forEach(steps, ({ at, key, limit, tenant, window }) =>
      consume(
        tenant ? tenantId : null,
        `${tenantId}:${key}`,
        { limit, windowMillis: window * 1_000 },
        noon + at * 1_000
      )
    )
  })

/** Steps on what is on its way out: the one that was claimed last, and the attempts that others hold, are tried too. */
const sendSteps = fc.array(
  fc.record({
    step: fc.constantFrom("reserve", "claim", "handOver", "settle", "release", "ask"),
    number: small(4),
    at: small(20),
    lease: small(30),
    attempts: small(3),
    outcome: fc.constantFrom("confirmed" as const, "failed" as const, "unknown" as const)
  }),
  { maxLength: 40 }
)

const sends = (tenantId: string, steps: typeof sendSteps extends fc.Arbitrary<infer A> ? A : never) =>
  Effect.gen(function* () {
    const queue = yield* Sends
    const seen: Array<unknown> = []
    for (const { step, number, at, lease, attempts, outcome } of steps) {
      const now = noon + at
      const held = { tenantId, messageId: idOf("msg", number), attempts, channel: "email" as const }
      if (step === "reserve") {
        const send = sendRecord(tenantId, number, { dueAt: now, slotAt: now, attempts: lease % 2 })
        seen.push((yield* Effect.exit(queue.reserve(send)))._tag)
      } else if (step === "claim") {
        const claimed = yield* queue.claim(1_000, now, noon + lease)
        seen.push(claimed.filter((send) => send.tenantId === tenantId))
      } else if (step === "handOver") seen.push(yield* queue.handOver(held, noon + lease))
      else if (step === "settle") seen.push(yield* queue.settle(held, outcome, `${outcome} at ${at}`, now))
      else if (step === "release") seen.push(yield* queue.release(held, noon + lease, "again"))
      else seen.push(yield* queue.find(tenantId, held.messageId), yield* queue.slots(tenantId, now, 3))
    }
    return seen
  })

/** Leads of every kind, and a list of some of them. */
const leadSteps = fc.record({
  leads: fc.array(
    fc.record({
      contact: small(2),
      state: fc.constantFrom("open" as const, "won" as const),
      tier: fc.constantFrom(null, "hot" as const, "cold" as const),
      assignee: fc.constantFrom(null, "kim", "lee"),
      created: small(6),
      written: small(6),
      merged: fc.boolean()
    }),
    { maxLength: 25 }
  ),
  state: fc.constantFrom(null, "open" as const, "won" as const, "lost" as const),
  tier: fc.constantFrom(null, "none" as const, "hot" as const, "warm" as const),
  contact: fc.option(small(2)),
  assignee: fc.constantFrom(null, "kim"),
  time: fc.constantFrom("createdAt" as const, "lastMessageAt" as const),
  newestFirst: fc.boolean(),
  from: fc.option(small(6)),
  until: fc.option(small(6))
})

const leads = (tenantId: string, steps: typeof leadSteps extends fc.Arbitrary<infer A> ? A : never) =>
  Effect.gen(function* () {
    const port = yield* Leads
    for (const [number, { assignee, contact, created, merged, state, tier, written }] of steps.leads.entries()) {
      const times = { createdAt: noon + created, lastMessageAt: noon + written }
      const mergedInto = merged ? idOf("lead", 99) : null
      const contactId = idOf("con", contact)
      yield* port.insert(leadRecord(tenantId, number, { ...times, assignee, contactId, mergedInto, state, tier }))
    }
    const { assignee, contact, from, newestFirst, state, tier, time, until } = steps
    const query = {
      state,
      tier,
      assignee,
      time,
      newestFirst,
      contactId: contact === null ? null : idOf("con", contact),
      from: from === null ? null : noon + from,
      until: until === null ? null : noon + until
    }
    const first = yield* port.page(tenantId, query, 3, null)
    const last = first.at(-1)
    const after = last === undefined ? null : { at: last[time], leadId: last.leadId }
    return [first, yield* port.page(tenantId, query, 3, after)]
  })

/** A store and its twin in memory say the same after the same steps, whatever they are. */
export const twinSuite = (name: string, store: StoreLayer): void => {
  describe(`${name} beside memory`, () => {
    const same = <A>(
      steps: fc.Arbitrary<A>,
      story: (tenantId: string, steps: A) => Effect.Effect<unknown, unknown, Store>
    ) =>
      Effect.promise(async () => {
        const [real, twin] = [ManagedRuntime.make(store), ManagedRuntime.make(memory)]
        const property = fc.asyncProperty(steps, async (taken) => {
          const tenantId = freshTenant()
          assert.deepStrictEqual(
            await real.runPromise(story(tenantId, taken)),
            await twin.runPromise(story(tenantId, taken))
          )
        })
        await fc.assert(property, { numRuns: 60 })
        await Promise.all([real.dispose(), twin.dispose()])
      })
    it.live("tells the same conversations", () => same(conversationSteps, conversations))
    it.live("lists the same leads", () => same(leadSteps, leads))
    it.live("tells the same threads", () => same(threadSteps, threads))
    it.live("hands out the same sends", () => same(sendSteps, sends))
    it.live("hands out the same signals", () => same(signalSteps, signals))
    it.live("allows the same requests", () => same(rateSteps, rates))
  })
}
