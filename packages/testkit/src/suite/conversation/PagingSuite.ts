import { assert, describe, it } from "@effect/vitest"
import { readTimeline } from "@leadloom/core/internal/workflow/contact/ReadTimeline"
import { allContacts } from "@leadloom/core/internal/domain/contact/ContactFilter"
import { listEnriched } from "@leadloom/core/internal/workflow/contact/ListEnriched"
import { Activities, Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect, Layer, ManagedRuntime } from "effect"
import fc from "fast-check"
import { contactRecord, freshTenant, idOf, messageRecord, noon, taskRecord, tenantRecord } from "../Records.ts"
import { around } from "../Doubles.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const happening = fc.record({
  kind: fc.constantFrom("message" as const, "task" as const, "activity" as const),
  minutes: fc.nat({ max: 5 })
})
const stories = fc.record({
  before: fc.array(happening, { maxLength: 15 }),
  during: fc.array(happening, { maxLength: 10 }),
  limit: fc.integer({ min: 1, max: 4 })
})
type Happening = typeof happening extends fc.Arbitrary<infer A> ? A : never

const add = Effect.fnUntraced(function* (tenantId: string, number: number, { kind, minutes }: Happening) {
  const at = noon + minutes * 60_000
  const contactId = idOf("con", 1)
  if (kind === "message") {
    yield* (yield* Messages).insert(messageRecord(tenantId, number, { contactId, timestamp: at }), [])
    return idOf("msg", number)
  }
  if (kind === "task") {
    yield* (yield* Tasks).insert(taskRecord(tenantId, number, { contactId, createdAt: at }))
    return idOf("task", number)
  }
  const activityId = idOf("act", number)
  yield* (yield* Activities).insert({
    activityId,
    tenantId,
    contactId,
    leadId: null,
    type: "notes_changed",
    actor: "agent",
    userId: null,
    userName: null,
    at,
    data: { notes: 'a "note"' }
  })
  return activityId
})

const pageThrough = Effect.fnUntraced(function* (
  tenantId: string,
  { before, during, limit }: typeof stories extends fc.Arbitrary<infer A> ? A : never
) {
  yield* (yield* Tenants).insert(tenantRecord(tenantId))
  yield* (yield* Contacts).insert(contactRecord(tenantId, 1))
  const there = yield* Effect.forEach(before, (one, number) => add(tenantId, number, one))
  const arrivals = [...during]
  const seen: Array<{ readonly at: number; readonly id: string }> = []
  let cursor: string | null = null
  do {
    const page: Effect.Success<ReturnType<typeof readTimeline>> = yield* readTimeline(tenantId, idOf("con", 1), {
      limit,
      cursor
    })
    seen.push(...page.entries)
    cursor = page.nextCursor
    const arrival = arrivals.pop()
    if (arrival !== undefined) yield* add(tenantId, 100 + arrivals.length, arrival)
  } while (cursor !== null)
  return { there, seen: seen.map(({ at, id }) => ({ at, id })) }
})

const people = fc.record({
  there: fc.array(fc.record({ minutes: fc.nat({ max: 5 }), vip: fc.boolean(), phone: fc.boolean() }), {
    maxLength: 12
  }),
  during: fc.array(fc.record({ to: fc.nat({ max: 14 }), minutes: fc.nat({ max: 9 }) }), { maxLength: 8 }),
  filter: fc.record({
    tag: fc.constantFrom(null, "vip"),
    hasPhone: fc.constantFrom(null, true, false),
    lastActivityAfter: fc.constantFrom(null, noon + 60_000),
    lastActivityBefore: fc.constantFrom(null, noon + 4 * 60_000)
  }),
  limit: fc.integer({ min: 1, max: 4 })
})

const write = Effect.fnUntraced(function* (tenantId: string, number: number, contact: number, minutes: number) {
  const timestamp = noon + minutes * 60_000
  const message = messageRecord(tenantId, number, { contactId: idOf("con", contact), timestamp })
  yield* (yield* Messages).insert(message, [])
  yield* (yield* Conversations).advance(message)
})

const pageEnriched = Effect.fnUntraced(function* (
  tenantId: string,
  { during, filter, limit, there }: typeof people extends fc.Arbitrary<infer A> ? A : never
) {
  yield* (yield* Tenants).insert(tenantRecord(tenantId))
  for (const [number, { minutes, phone, vip }] of there.entries()) {
    yield* (yield* Contacts).insert(
      contactRecord(tenantId, number, {
        phone: phone ? "+14155550123" : null,
        tags: vip ? ["vip"] : [],
        createdAt: noon
      })
    )
    yield* write(tenantId, number, number, minutes)
  }
  const { tag, ...more } = filter
  const arrivals = during.filter(({ to }) => to < there.length)
  const touched = new Set<string>(arrivals.map(({ to }) => idOf("con", to)))
  const seen: Array<string> = []
  let cursor: string | null = null
  do {
    const page: Effect.Success<ReturnType<typeof listEnriched>> = yield* listEnriched(
      tenantId,
      { ...allContacts, ...more, tags: tag === null ? [] : [tag] },
      { limit, cursor, sort: "last_activity" }
    )
    seen.push(...page.contacts.map(({ contact }) => contact.contactId))
    cursor = page.nextCursor
    const arrival = arrivals.pop()
    if (arrival !== undefined) yield* write(tenantId, 100 + arrivals.length, arrival.to, arrival.minutes)
  } while (cursor !== null)
  const wanted = there.flatMap(({ minutes, phone, vip }, number) => {
    const at = noon + minutes * 60_000
    const fits =
      (tag === null || vip) &&
      (filter.hasPhone === null || filter.hasPhone === phone) &&
      (filter.lastActivityAfter === null || at > filter.lastActivityAfter) &&
      (filter.lastActivityBefore === null || at < filter.lastActivityBefore)
    return fits ? [idOf("con", number)] : []
  })
  return { seen, untouched: wanted.filter((id) => !touched.has(id)), touched }
})

/** Tests pages of a list during concurrent writes, on a store. */
export const pagingSuite = (name: string, store: StoreLayer): void => {
  describe(`paging on ${name}`, () => {
    const withStore = async (use: (runtime: ReturnType<typeof make>) => Promise<void>): Promise<void> => {
      const runtime = make()
      await use(runtime)
      await runtime.dispose()
    }
    const make = () => ManagedRuntime.make(Layer.mergeAll(store, around))
    it.live("shows every entry of a timeline once, newest first, with new entries in between", () =>
      Effect.promise(() =>
        withStore(async (runtime) => {
          const property = fc.asyncProperty(stories, async (story) => {
            const { seen, there } = await runtime.runPromise(pageThrough(freshTenant(), story))
            const ids = seen.map(({ id }) => id)
            assert.strictEqual(new Set(ids).size, ids.length)
            assert.isTrue(there.every((id) => ids.includes(id)))
            const order = seen.toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
            assert.deepStrictEqual(seen, order)
          })
          await fc.assert(property, { numRuns: 60 })
        })
      )
    )
    it.live("shows every matching contact once, including one that becomes active between two pages", () =>
      Effect.promise(() =>
        withStore(async (runtime) => {
          const property = fc.asyncProperty(people, async (story) => {
            const { seen, touched, untouched } = await runtime.runPromise(pageEnriched(freshTenant(), story))
            assert.strictEqual(new Set(seen).size, seen.length)
            const kept = seen.filter((id) => !touched.has(id))
            assert.deepStrictEqual(kept.toSorted(), [...untouched].toSorted())
          })
          await fc.assert(property, { numRuns: 60 })
        })
      )
    )
  })
}
