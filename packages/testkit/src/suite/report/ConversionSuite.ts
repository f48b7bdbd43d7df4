/** Suites of the reports `conversion` and `tiers`: random moves and scores of leads, counted again from their list. */
import { assert, describe } from "@effect/vitest"
import { leadStates } from "@leadloom/core/internal/domain/lead/LeadState"
import { type Tier, tiers } from "@leadloom/core/internal/domain/lead/Score"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { moveLead } from "@leadloom/core/internal/workflow/lead/MoveLead"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { followTenant } from "@leadloom/core/internal/workflow/report/FollowReports"
import { readReport, type ReportRequest } from "@leadloom/core/internal/workflow/report/ReadReport"
import { recountReports } from "@leadloom/core/internal/workflow/report/RecountReports"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { contactRecord, idOf, leadRecord } from "../Records.ts"
import { acme, scenesOn, type Services, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const request: ReportRequest = {
  from: null,
  to: null,
  groupBy: "pipeline",
  filter: { channel: null, userId: null, teamId: null, tag: null }
}

const moves = fc.array(
  fc.record({
    lead: fc.integer({ min: 1, max: 4 }),
    state: fc.constantFrom(...leadStates),
    tier: fc.constantFrom(null, null, ...tiers),
    minutes: fc.integer({ min: 1, max: 900 }),
    counts: fc.boolean()
  }),
  { minLength: 60, maxLength: 90 }
)

interface Stay {
  readonly lead: number
  readonly state: string
  readonly from: number
  to: number | null
  next: string | null
}

/** Opens four leads. Leads 1 to 3 belong to the contacts 1 to 3, and lead 4 to contact 1. */
const openLeads = Effect.gen(function* () {
  yield* acme.open({ timeZone: "America/New_York" })
  for (const number of [1, 2, 3]) yield* (yield* Contacts).insert(contactRecord("acme", number))
  for (const number of [1, 2, 3, 4]) {
    const contactId = idOf("con", number === 4 ? 1 : number)
    const value = number * 1_000
    yield* (yield* Leads).insert(
      leadRecord("acme", number, { contactId, createdAt: start, updatedAt: start, value, currency: "EUR" })
    )
  }
  return [1, 2, 3, 4].map((lead): Stay => ({ lead, state: "open", from: start, to: null, next: null }))
})

/** The tier of each lead by its number. */
type Tiers = Map<number, Tier | null>

const setTier = Effect.fnUntraced(function* (scored: Tiers, lead: number, tier: Tier | null) {
  if (tier === null) return
  const leads = yield* Leads
  const stored = yield* leads.get("acme", idOf("lead", lead))
  yield* leads.update({ ...stored, tier }, stored)
  scored.set(lead, tier)
})

/** Moves and scores leads at random, and returns their stays in stages and their tiers. Transitions that the service rejects have no effect. */
const moveAll = Effect.fnUntraced(function* (seed: number) {
  const stays = yield* openLeads
  const scored: Tiers = new Map([1, 2, 3, 4].map((lead) => [lead, null]))
  const [steps = []] = fc.sample(moves, { seed, numRuns: 1 })
  for (const { counts, lead, minutes, state, tier } of steps) {
    yield* TestClock.adjust(minutes * 60_000)
    const last = stays.findLast((one) => one.lead === lead)
    const lossReason = state === "lost" ? "price" : null
    const moved = yield* Effect.option(moveLead("acme", idOf("lead", lead), `stg_${state}`, null, lossReason))
    if (moved._tag === "Some" && last !== undefined && last.state !== state) {
      const now = yield* Clock.currentTimeMillis
      last.to = now
      last.next = state
      stays.push({ lead, state, from: now, to: null, next: null })
    }
    yield* setTier(scored, lead, tier)
    if (counts) yield* followTenant("acme")
  }
  return { stays, scored }
})

const order = ["open", "engaged", "qualified", "won"]

const isLater = ({ next, state }: Stay): boolean =>
  next !== null && order.includes(state) && order.indexOf(next) > order.indexOf(state)

type ExpectedRow = [
  metric: string,
  detail: string,
  count: number,
  average: number | null,
  value: number | null,
  rate: number | null
]

/** Returns the expected rows of all stages. */
const expected = (stays: ReadonlyArray<Stay>): Array<ExpectedRow> =>
  leadStates
    .flatMap((state): Array<ExpectedRow> => {
      const entered = stays.filter((one) => one.state === state)
      const left = entered.flatMap(({ from, to }) => (to === null ? [] : [(to - from) / 1_000]))
      const later = entered.filter(isLater).length
      const average = Math.round(left.reduce((sum, seconds) => sum + seconds, 0) / left.length)
      const value = entered.reduce((sum, { lead }) => sum + lead * 1_000, 0)
      const rate = Math.round((later / left.length) * 10_000) / 10_000
      const stage = `stg_${state}`
      return [
        ["stage_entered", stage, entered.length, null, null, null],
        ["stage_value", `${stage}:EUR`, entered.length, null, value, null],
        ["stage_left", stage, left.length, average, null, null],
        ["stage_advanced", stage, later, null, null, rate],
        [state, stage, state === "won" || state === "lost" ? entered.length : 0, null, null, null]
      ]
    })
    .filter(([, , count]) => count > 0)
    .toSorted((a, b) => (`${a[0]}\n${a[1]}` < `${b[0]}\n${b[1]}` ? -1 : 1))

/** Returns the expected rows of tiers. All leads were created on 2 March 2026 in New York. */
const expectedTiers = (scored: Tiers) =>
  ["", ...tiers.toSorted()]
    .map((tier) => ["2026-03-02", "tier", tier, [...scored.values()].filter((one) => (one ?? "") === tier).length])
    .filter(([, , , count]) => count !== 0)

const readTiers = Effect.map(readReport("acme", "tiers", { ...request, groupBy: "day" }), ({ rows }) =>
  rows.map(({ count, detail, group, metric }) => [group, metric, detail, count])
)

const readRows = Effect.fnUntraced(function* () {
  yield* TestClock.adjust("2 minutes")
  yield* followTenant("acme")
  const { rows } = yield* readReport("acme", "conversion", request)
  assert.isTrue(rows.every(({ group }) => group === "pip_default"))
  return rows.map((row): ExpectedRow => [row.metric, row.detail, row.count, row.averageSeconds, row.value, row.rate])
})

const compare = Effect.fnUntraced(function* (seed: number) {
  const { scored, stays } = yield* moveAll(seed)
  assert.deepStrictEqual(yield* readRows(), expected(stays))
  assert.deepStrictEqual(yield* readTiers, expectedTiers(scored))
  yield* mergeContacts("acme", idOf("con", 1), idOf("con", 2))
  assert.deepStrictEqual(yield* readRows(), expected(stays))
  const contactId = idOf("con", 3)
  yield* eraseContact({ tenantId: "acme", contactId, confirm: contactId, requestedBy: "kim" })
  scored.delete(3)
  const left = expected(stays.filter(({ lead }) => lead !== 3))
  assert.deepStrictEqual(yield* readRows(), left)
  assert.deepStrictEqual(yield* readTiers, expectedTiers(scored))
  yield* recountReports("acme")
  assert.deepStrictEqual(yield* readRows(), left)
  assert.deepStrictEqual(yield* readTiers, expectedTiers(scored))
})

/** Tests the conversion report on a store. */
export const conversionSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`reports on ${name}: conversion`, () => {
    for (const seed of [1, 2, 3]) {
      scene(`equals a recount of random moves (${seed})`, () =>
        Effect.gen(function* () {
          const context = yield* Effect.context<Services>()
          yield* Effect.provide(compare(seed), context)
        })
      )
    }
    scene("is the only report by pipeline", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const error = yield* Effect.flip(readReport("acme", "volume", request))
        assert.strictEqual(error._tag, "ReportRequestInvalid")
      })
    )
  })
}
