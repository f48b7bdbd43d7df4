import { assert, layer } from "@effect/vitest"
import type { Lead } from "@leadloom/core/internal/domain/lead/Lead"
import type { DealKey, DealQuery } from "@leadloom/core/internal/domain/lead/LeadQuery"
import type { StageTotal, StoredStage } from "@leadloom/core/internal/domain/lead/SalesPipeline"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { SalesPipelines } from "@leadloom/core/internal/port/repository/lead/SalesPipelines"
import { Effect } from "effect"
import fc from "fast-check"
import { freshTenant, idOf, leadRecord, noon } from "../Records.ts"
import type { Store, StoreLayer } from "../StoreLayer.ts"

const everyDeal: DealQuery = {
  state: null,
  tier: null,
  contactId: null,
  assignee: null,
  assigneeId: null,
  teamId: null,
  order: "createdAt",
  newestFirst: true,
  from: null,
  until: null,
  stages: null,
  tag: null,
  minValue: null,
  maxValue: null,
  closeFrom: null,
  closeUntil: null
}

const proposal: StoredStage = { pipelineId: "pip_default", stageId: "stg_proposal", state: "open" }
const implied: StoredStage = { ...proposal, stageId: "" }

/** Reads all parts of a list, each with at most two leads. Returns the numbers of the leads. */
const readAll = (tenantId: string, changes: Partial<DealQuery>) =>
  Effect.gen(function* () {
    const leads = yield* Leads
    const seen: Array<number> = []
    for (let after: DealKey | null = null; ;) {
      const page: Effect.Success<ReturnType<typeof leads.deals>> = yield* leads.deals(
        tenantId,
        { ...everyDeal, ...changes },
        2,
        after
      )
      seen.push(...page.leads.map(({ leadId }) => Number(leadId.slice(-4))))
      if (page.next === null) return seen
      after = page.next
    }
  })

/** Returns the totals of leads, as a count of all rows gives them. */
const recount = (leads: ReadonlyArray<Lead>): ReadonlyArray<StageTotal> => {
  const totals = new Map<string, StageTotal>()
  for (const { currency, mergedInto, pipelineId, stageId, state, value } of leads) {
    if (mergedInto !== null) continue
    const key = JSON.stringify([pipelineId, stageId, state, currency])
    const { leads: count = 0, value: sum = 0 } = totals.get(key) ?? {}
    const place = { pipelineId, stageId: stageId ?? "", state, currency: currency ?? "" }
    totals.set(key, { ...place, leads: count + 1, value: sum + (value ?? 0) })
  }
  return [...totals.values()]
}

const sorted = (totals: ReadonlyArray<StageTotal>) =>
  totals.map((total) => JSON.stringify(Object.entries(total).toSorted())).toSorted()

const change = fc.record({
  number: fc.integer({ min: 1, max: 6 }),
  stageId: fc.constantFrom(null, "stg_a" as const, "stg_b" as const),
  state: fc.constantFrom("open" as const, "won" as const),
  money: fc.constantFrom(
    { value: null, currency: null },
    { value: 250, currency: "USD" },
    { value: 7, currency: "EUR" }
  ),
  mergedInto: fc.constantFrom(null, idOf("lead", 99)),
  tags: fc.subarray(["vip", "roof"])
})

type Change = typeof change extends fc.Arbitrary<infer A> ? A : never

/** Applies changes to leads. Returns the leads as stored, their totals, and the leads of each tag. */
const applied = Effect.fnUntraced(function* (changes: ReadonlyArray<Change>) {
  const [leads, pipelines] = [yield* Leads, yield* SalesPipelines]
  const tenantId = freshTenant()
  const stored = new Map<number, Lead>()
  for (const { money, number, ...fields } of changes) {
    const before = stored.get(number)
    const after: Lead = { ...(before ?? leadRecord(tenantId, number)), ...fields, ...money }
    yield* before === undefined ? leads.insert(after) : leads.update(after, before)
    stored.set(number, after)
  }
  const all = [...stored.values()]
  const totals = yield* pipelines.totals(tenantId, "pip_default")
  return { all, totals, vips: yield* readAll(tenantId, { tag: "vip" }) }
})

/** Tests lists of deals and the totals of stages on a store. */
export const dealsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Deals on ${name}`, (it) => {
    it.effect("have exact totals and tags after any changes of leads", () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Store>()
        const property = fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
          const { all, totals, vips } = await Effect.runPromise(Effect.provide(applied(changes), context))
          assert.deepStrictEqual(sorted(totals), sorted(recount(all)))
          const tagged = all.filter(({ mergedInto, tags }) => mergedInto === null && tags.includes("vip"))
          const numbers = tagged.map(({ leadId }) => Number(leadId.slice(-4)))
          assert.deepStrictEqual(
            vips,
            numbers.toSorted((a, b) => b - a)
          )
        })
        yield* Effect.promise(() => fc.assert(property, { numRuns: 40 }))
      })
    )

    it.effect("are filtered and ordered by stage, tag, value and expected date", () =>
      Effect.gen(function* () {
        const leads = yield* Leads
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const usd = (value: number) => ({ value, currency: "USD" })
        const insert = (number: number, changes: Partial<Lead>) => leads.insert(leadRecord(tenantId, number, changes))
        yield* insert(1, { stageId: "stg_proposal", ...usd(100), expectedCloseOn: "2026-12-24" })
        const ours = { assigneeId: idOf("usr", 1), teamId: idOf("team", 1) }
        yield* insert(2, { tags: ["vip"], ...usd(300), assignee: "kim", ...ours })
        yield* insert(3, { stageId: "stg_proposal", tags: ["vip", "roof"], ...usd(200), expectedCloseOn: "2026-12-01" })
        yield* insert(4, { state: "won", tags: ["vip"], expectedCloseOn: "2027-01-15" })
        yield* insert(5, { mergedInto: idOf("lead", 1), tags: ["vip"], ...usd(400), expectedCloseOn: "2026-12-01" })
        yield* leads.insert(leadRecord(other, 6, { tags: ["vip"], ...usd(150), expectedCloseOn: "2026-12-02" }))
        const list = (changes: Partial<DealQuery>) => readAll(tenantId, changes)
        assert.deepStrictEqual(yield* list({ stages: [proposal] }), [3, 1])
        assert.deepStrictEqual(yield* list({ stages: [proposal, implied] }), [3, 2, 1])
        assert.deepStrictEqual(yield* list({ stages: [proposal], newestFirst: false }), [1, 3])
        assert.deepStrictEqual(yield* list({ stages: [] }), [])
        assert.deepStrictEqual(yield* list({ stages: [proposal, implied], from: noon + 2, until: noon + 3 }), [2])
        assert.deepStrictEqual(yield* list({ tag: "vip" }), [4, 3, 2])
        assert.deepStrictEqual(yield* list({ tag: "vip", state: "open", assignee: "kim" }), [2])
        assert.deepStrictEqual(yield* list({ tag: "vip", ...ours }), [2])
        assert.deepStrictEqual(yield* list({ tag: "vip", ...ours, teamId: idOf("team", 2) }), [])
        assert.deepStrictEqual(yield* list({ tag: "vip", stages: [proposal] }), [3])
        assert.deepStrictEqual(yield* list({ tag: "vip", minValue: 250 }), [2])
        assert.deepStrictEqual(yield* list({ order: "value" }), [2, 3, 1])
        assert.deepStrictEqual(
          yield* list({ order: "value", minValue: 100, maxValue: 200, newestFirst: false }),
          [1, 3]
        )
        assert.deepStrictEqual(yield* list({ order: "value", minValue: 200, tag: "roof" }), [3])
        assert.deepStrictEqual(yield* list({ order: "expectedCloseOn", newestFirst: false }), [3, 1, 4])
        const december = { closeFrom: "2026-12-01", closeUntil: "2026-12-24" }
        assert.deepStrictEqual(yield* list({ order: "expectedCloseOn", ...december }), [1, 3])
        assert.deepStrictEqual(yield* list({ order: "value", ...december }), [3, 1])
      })
    )

    it.effect("are found although hundreds of other leads precede them", () =>
      Effect.gen(function* () {
        const leads = yield* Leads
        const tenantId = freshTenant()
        yield* leads.insert(leadRecord(tenantId, 1, { tags: ["vip"], tier: "hot" }))
        const others = Array.from({ length: 1_100 }, (_, index) => leadRecord(tenantId, index + 2, { tags: ["vip"] }))
        yield* Effect.forEach(others, (lead) => leads.insert(lead), { discard: true })
        const first = yield* leads.deals(tenantId, { ...everyDeal, tag: "vip", tier: "hot" }, 10, null)
        assert.deepStrictEqual(first.leads, [])
        assert.isNotNull(first.next)
        assert.deepStrictEqual(yield* readAll(tenantId, { tag: "vip", tier: "hot" }), [1])
      })
    )

    it.effect("keep their pipelines apart by tenant, and move between stages together", () =>
      Effect.gen(function* () {
        const [leads, pipelines] = [yield* Leads, yield* SalesPipelines]
        const [tenantId, other] = [freshTenant(), freshTenant()]
        const pipeline = {
          pipelineId: "pip_default" as const,
          tenantId,
          name: "Roofs",
          stages: [{ stageId: "stg_a" as const, name: "A", state: "open" as const }],
          createdAt: noon,
          updatedAt: noon
        }
        yield* pipelines.put(pipeline)
        const renamed = { ...pipeline, name: "Kitchens", updatedAt: noon + 1 }
        yield* pipelines.put(renamed)
        assert.deepStrictEqual(yield* pipelines.list(tenantId), [renamed])
        assert.deepStrictEqual(yield* pipelines.list(other), [])
        for (const number of [1, 2, 3]) {
          for (const owner of [tenantId, other])
            yield* leads.insert(leadRecord(owner, number, { stageId: "stg_proposal" }))
        }
        const move = (limit: number) => pipelines.moveLeads(tenantId, proposal, "stg_a", noon + 2, limit)
        assert.deepStrictEqual([yield* move(2), yield* move(2), yield* move(2)], [2, 1, 0])
        for (const number of [1, 2, 3]) {
          const [moved, stayed] = [
            yield* leads.get(tenantId, idOf("lead", number)),
            yield* leads.get(other, idOf("lead", number))
          ]
          assert.deepStrictEqual([moved.stageId, moved.updatedAt, stayed.stageId], ["stg_a", noon + 2, "stg_proposal"])
        }
        yield* pipelines.remove(tenantId, "pip_default")
        assert.deepStrictEqual(yield* pipelines.list(tenantId), [])
      })
    )
  })
