import { assert, layer } from "@effect/vitest"
import type { Lead } from "@leadloom/core/internal/domain/lead/Lead"
import type { LeadKey, LeadQuery } from "@leadloom/core/internal/domain/lead/LeadQuery"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import fc from "fast-check"
import type { Store, StoreLayer } from "../StoreLayer.ts"
import { freshTenant, idOf, leadRecord, noon, tenantRecord } from "../Records.ts"

/** A query for all leads. */
export const everyLead: LeadQuery = {
  state: null,
  tier: null,
  contactId: null,
  assignee: null,
  assigneeId: null,
  teamId: null,
  time: "createdAt",
  newestFirst: true,
  from: null,
  until: null
}

/** Reads all pages of three leads. Runs an effect between two pages. */
const readAll = <E, R>(tenantId: string, query: LeadQuery, between: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const leads = yield* Leads
    const seen: Array<string> = []
    for (let after: LeadKey | null = null; ;) {
      const page: ReadonlyArray<Lead> = yield* leads.page(tenantId, query, 3, after)
      const last = page.at(-1)
      // Stops a list that does not end. It then contains duplicates, so the test fails.
      if (last === undefined || seen.length > 1_000) return seen
      seen.push(...page.map(({ leadId }) => leadId))
      after = { at: last[query.time], leadId: last.leadId }
      yield* between
    }
  })

const nothing = Effect.void

/** Random changes of a list between two pages. */
const happening = fc.oneof(
  fc.record({ kind: fc.constant("insert" as const), at: fc.integer({ min: -10, max: 60 }) }),
  fc.record({ kind: fc.constant("message" as const), number: fc.nat(14), at: fc.nat(60) }),
  fc.record({
    kind: fc.constant("move" as const),
    number: fc.nat(14),
    state: fc.constantFrom("open" as const, "won" as const),
    tier: fc.constantFrom(null, "hot" as const)
  }),
  fc.record({ kind: fc.constant("merge" as const), number: fc.nat(14) })
)
type Happening = typeof happening extends fc.Arbitrary<infer A> ? A : never

const stories = fc.record({
  leads: fc.integer({ min: 1, max: 14 }),
  eventSequences: fc.array(fc.array(happening, { maxLength: 4 }), { maxLength: 6 }),
  newestFirst: fc.boolean(),
  time: fc.constantFrom("createdAt" as const, "lastMessageAt" as const),
  state: fc.constantFrom(null, "open" as const)
})

const isListed = (lead: Lead, state: LeadQuery["state"]): boolean =>
  lead.mergedInto === null && (state === null || lead.state === state)

/**
 * Returns three sets of leads: those listed during the whole time, those of them without new messages, and those on the
 * pages.
 */
const report = Effect.fnUntraced(function* (story: typeof stories extends fc.Arbitrary<infer A> ? A : never) {
  const leads = yield* Leads
  const tenantId = freshTenant()
  const query = { ...everyLead, newestFirst: story.newestFirst, time: story.time, state: story.state }
  const times = { createdAt: noon, lastMessageAt: noon }
  for (let number = 0; number < story.leads; number++) {
    // Two leads each have the same time, so that the id decides the order of each pair.
    const at = noon + (number >> 1)
    yield* leads.insert(leadRecord(tenantId, number, { createdAt: at, lastMessageAt: at }))
  }
  const stayed = new Set(Array.from({ length: story.leads }, (_, number) => idOf("lead", number)))
  const silent = new Set(stayed)
  let inserted = 100
  const happen = Effect.fnUntraced(function* (one: Happening) {
    if (one.kind === "insert") {
      const at = noon + one.at
      return yield* leads.insert(leadRecord(tenantId, inserted++, { ...times, createdAt: at, lastMessageAt: at }))
    }
    if (one.number >= story.leads) return
    const before = yield* leads.get(tenantId, idOf("lead", one.number))
    if (one.kind === "message") {
      yield* leads.update({ ...before, lastMessageAt: noon + one.at })
      silent.delete(before.leadId)
    } else if (one.kind === "move") yield* leads.update({ ...before, state: one.state, tier: one.tier })
    else yield* leads.markMerged(tenantId, idOf("lead", 999), [before.leadId], noon)
    if (!isListed(yield* leads.get(tenantId, before.leadId), story.state)) stayed.delete(before.leadId)
  })
  const rounds = [...story.eventSequences]
  const between = Effect.suspend(() => Effect.forEach(rounds.shift() ?? [], happen, { discard: true }))
  const seen = yield* readAll(tenantId, query, between)
  return { seen, silent, stayed }
})

const timesSeen = (seen: ReadonlyArray<string>, leadId: string): number => seen.filter((id) => id === leadId).length

/** Tests lists of leads on a store. */
export const leadPagesSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Lists of leads on ${name}`, (it) => {
    it.effect("show each lead exactly once if it is listed during the whole time, with changes between the pages", () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Store>()
        const property = fc.asyncProperty(stories, async (story) => {
          const { seen, silent, stayed } = await Effect.runPromise(Effect.provide(report(story), context))
          for (const leadId of stayed) {
            const shown = timesSeen(seen, leadId)
            // In a list by the last message, a new message moves its lead. A lead that moves towards the start may be
            // missed. A lead that moves towards the end may be seen twice.
            if (story.time === "createdAt" || silent.has(leadId)) assert.strictEqual(shown, 1, leadId)
          }
        })
        yield* Effect.promise(() => fc.assert(property, { numRuns: 60 }))
      })
    )
    it.effect("filter by state, tier, contact, assignee and range, in each order", () =>
      Effect.gen(function* () {
        const leads = yield* Leads
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const insert = (number: number, changes: Partial<Lead>) =>
          leads.insert(leadRecord(tenantId, number, { lastMessageAt: noon + 100 - number, ...changes }))
        yield* insert(1, { state: "won", tier: "hot", assignee: "kim" })
        yield* insert(2, { tier: "cold", contactId: idOf("con", 2) })
        yield* insert(3, { tier: "hot", assignee: "kim", contactId: idOf("con", 2) })
        yield* insert(4, { assignee: "lee" })
        yield* insert(5, { mergedInto: idOf("lead", 1), assignee: "kim", contactId: idOf("con", 2) })
        yield* leads.insert(leadRecord(other, 6))
        const list = (changes: Partial<LeadQuery>) =>
          Effect.map(readAll(tenantId, { ...everyLead, ...changes }, nothing), (ids) =>
            ids.map((id) => Number(id.slice(-2)))
          )
        assert.deepStrictEqual(yield* list({}), [4, 3, 2, 1])
        assert.deepStrictEqual(yield* list({ newestFirst: false }), [1, 2, 3, 4])
        assert.deepStrictEqual(yield* list({ time: "lastMessageAt" }), [1, 2, 3, 4])
        assert.deepStrictEqual(yield* list({ time: "lastMessageAt", newestFirst: false }), [4, 3, 2, 1])
        assert.deepStrictEqual(yield* list({ state: "open" }), [4, 3, 2])
        assert.deepStrictEqual(yield* list({ tier: "hot" }), [3, 1])
        assert.deepStrictEqual(yield* list({ tier: "none" }), [4])
        assert.deepStrictEqual(yield* list({ tier: "hot", state: "won" }), [1])
        assert.deepStrictEqual(yield* list({ assignee: "kim" }), [3, 1])
        assert.deepStrictEqual(yield* list({ assignee: "kim", state: "open" }), [3])
        assert.deepStrictEqual(yield* list({ contactId: idOf("con", 2) }), [3, 2])
        assert.deepStrictEqual(yield* list({ contactId: idOf("con", 2), newestFirst: false, tier: "cold" }), [2])
        assert.deepStrictEqual(yield* list({ contactId: idOf("con", 2), assignee: "kim" }), [3])
        assert.deepStrictEqual(yield* list({ from: noon + 2, until: noon + 4 }), [3, 2])
        assert.deepStrictEqual(yield* list({ from: noon + 2, until: noon + 4, newestFirst: false }), [2, 3])
        assert.deepStrictEqual(yield* list({ from: noon + 98, until: noon + 99, time: "lastMessageAt" }), [2])
        assert.deepStrictEqual(yield* list({ assignee: "nobody" }), [])
      })
    )
    it.effect("filter by user and team, and count the open leads of users", () =>
      Effect.gen(function* () {
        const leads = yield* Leads
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const [ann, bob, team] = [idOf("usr", 1), idOf("usr", 2), idOf("team", 1)]
        const insert = (number: number, changes: Partial<Lead>) => leads.insert(leadRecord(tenantId, number, changes))
        yield* insert(1, { assigneeId: ann, teamId: team, state: "lost" })
        yield* insert(2, { assigneeId: bob, teamId: team, contactId: idOf("con", 2) })
        yield* insert(3, { assigneeId: bob, state: "engaged" })
        yield* insert(4, { assigneeId: bob, mergedInto: idOf("lead", 1) })
        yield* leads.insert(leadRecord(other, 5, { assigneeId: ann, teamId: team }))
        const list = (changes: Partial<LeadQuery>) =>
          Effect.map(readAll(tenantId, { ...everyLead, ...changes }, nothing), (ids) =>
            ids.map((id) => Number(id.slice(-2)))
          )
        assert.deepStrictEqual(yield* list({ assigneeId: ann }), [1])
        assert.deepStrictEqual(yield* list({ teamId: team }), [2, 1])
        assert.deepStrictEqual(yield* list({ teamId: team, assigneeId: bob }), [2])
        assert.deepStrictEqual(yield* list({ teamId: team, state: "lost", time: "lastMessageAt" }), [1])
        assert.deepStrictEqual(yield* list({ contactId: idOf("con", 2), assigneeId: bob }), [2])
        assert.deepStrictEqual(yield* list({ contactId: idOf("con", 2), assigneeId: ann }), [])
        assert.deepStrictEqual([...(yield* leads.openCounts(tenantId, [ann, bob]))], [[bob, 2]])
      })
    )
    it.effect("are not needed to find a lead by its id in the tenants of a caller", () =>
      Effect.gen(function* () {
        const [leads, tenants] = [yield* Leads, yield* Tenants]
        const [one, other, gone] = [freshTenant(), freshTenant(), freshTenant()]
        yield* Effect.forEach([one, other, gone], (tenantId) => tenants.insert(tenantRecord(tenantId)))
        yield* tenants.archive(gone, noon)
        const lead = leadRecord(one, 1, { leadId: `lead_of_${one}` })
        const lost = leadRecord(gone, 1, { leadId: `lead_of_${gone}` })
        yield* Effect.forEach([lead, lost], leads.insert)
        for (const reach of ["all", [one], [other, one]] as const) {
          assert.deepStrictEqual(yield* leads.locate(reach, lead.leadId), lead)
        }
        for (const reach of [[], [other]]) {
          assert.strictEqual((yield* Effect.flip(leads.locate(reach, lead.leadId)))._tag, "LeadNotFound")
        }
        for (const reach of ["all", [gone]] as const) {
          assert.strictEqual((yield* Effect.flip(leads.locate(reach, lost.leadId)))._tag, "LeadNotFound")
        }
      })
    )
  })
