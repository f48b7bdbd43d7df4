import { acme, drainJobs, scenesOn } from "../Scene.ts"
import { open, reportContact } from "./CrmWorld.ts"
import type { CrmInMemory } from "../../memory/Crm.ts"
import { assert, describe } from "@effect/vitest"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import type { SyncedFields } from "@leadloom/core/internal/domain/crm/CrmContact"
import { runJob } from "@leadloom/core/internal/workflow/job/RunJob"
import { workDueJobs } from "@leadloom/core/internal/workflow/job/WorkJobs"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import type { ContactId } from "@leadloom/core/internal/domain/Id"
import type { StoreLayer } from "../StoreLayer.ts"

const word = fc.constantFrom("a", "b", "c", "d")
const tags = fc.uniqueArray(fc.constantFrom("VIP", "roof", "lead", "new"), { maxLength: 4 })
const phone = fc.constantFrom("+14155550101", "+14155550102", null)
const changes = fc.record({ name: fc.option(word), tags, phone }, { requiredKeys: [] })

/** Random steps on both sides. Provider events arrive late, twice and in any order. */
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ on: fc.constant("here" as const), changes }) },
    { weight: 3, arbitrary: fc.record({ on: fc.constant("there" as const), changes }) },
    { weight: 3, arbitrary: fc.record({ on: fc.constant("work" as const) }) },
    { weight: 2, arbitrary: fc.record({ on: fc.constant("event" as const), twice: fc.boolean() }) }
  ),
  { minLength: 20, maxLength: 60 }
)

type Step = typeof steps extends fc.Arbitrary<ReadonlyArray<infer A>> ? A : never

const changeThere = (crm: CrmInMemory, id: string, said: Partial<SyncedFields>): void => {
  const there = crm.contacts.get(id)
  if (there === undefined) return
  const spelled = said.tags === undefined ? {} : { tags: said.tags.map((tag) => tag.toLowerCase()) }
  crm.contacts.set(id, { ...there, ...said, ...spelled })
}

/** Provider events that have not been delivered yet. Each contains the contact at the time of the change. */
type Waiting = Array<Parameters<typeof reportContact>[1]>

const play = Effect.fnUntraced(function* (crm: CrmInMemory, contactId: ContactId, waiting: Waiting, step: Step) {
  const [id = ""] = crm.contacts.keys()
  const before = crm.contacts.get(id)
  if (step.on === "here") yield* updateContact("acme", contactId, { ...step.changes, email: "jo@customer.example" })
  if (step.on === "there") changeThere(crm, id, step.changes)
  if (step.on === "work") yield* workDueJobs(runJob)
  // The CRM reports every change, including changes that Leadloom made.
  const after = crm.contacts.get(id)
  if (after !== undefined && JSON.stringify(after) !== JSON.stringify(before)) waiting.push(after)
  if (step.on !== "event") return
  const change = waiting.splice(Math.floor(waiting.length / 2), 1)[0]
  if (change === undefined) return
  yield* reportContact(id, change)
  if (step.twice) yield* reportContact(id, change)
})

const settleAll = Effect.fnUntraced(function* (crm: CrmInMemory, waiting: Waiting) {
  const [id = ""] = crm.contacts.keys()
  // The CRM also reports the writes of Leadloom. If Leadloom answered these reports with writes, the loop would not
  // end.
  for (let round = 0; round < 20; round++) {
    const before = JSON.stringify(crm.contacts.get(id))
    for (const change of waiting.splice(0)) yield* reportContact(id, change)
    yield* drainJobs
    yield* TestClock.adjust(10_000)
    yield* drainJobs
    if (JSON.stringify(crm.contacts.get(id)) === before && waiting.length === 0) return
    waiting.push(crm.contacts.get(id) ?? {})
  }
  assert.fail("it goes to and fro")
})

const folded = ({ name, phone: number, tags: all }: SyncedFields) => ({
  name,
  number,
  tags: all.map((tag) => tag.toLowerCase()).toSorted()
})

/**
 * Tests on a store that changes on both sides end with equal contacts and no further writes. At least `wantedChanges`
 * changes are made.
 */
export const crmLoopSuite = (name: string, store: StoreLayer, wantedChanges: number): void => {
  describe(`Changes on both sides on ${name}`, () => {
    const scene = scenesOn(store, "crm")
    scene(`${wantedChanges} of them end with equal contacts on both sides and no further requests`, ({ crm }) =>
      Effect.gen(function* () {
        yield* open(crm)
        const { contactId } = yield* createContact("acme", { email: "jo@customer.example", name: "a" })
        yield* drainJobs
        let made = 0
        for (const run of fc.sample(steps, { numRuns: 60, seed: 7 })) {
          if (made >= wantedChanges) break
          const waiting: Waiting = []
          const changed = run.filter(({ on }) => on === "here" || on === "there").length
          const writes = () => crm.calls.filter((call) => /update|add|remove|upsert/u.test(call)).length
          const before = writes()
          for (const step of run) yield* play(crm, contactId, waiting, step)
          yield* settleAll(crm, waiting)
          made += changed
          const here = yield* acme.contactOf(contactId)
          const there = [...crm.contacts.values()]
          assert.lengthOf(there, 1)
          assert.deepStrictEqual(folded(here), folded(there[0] ?? assert.fail()))
          // A local change takes at most three requests; a change in the CRM takes none.
          assert.isAtMost(writes() - before, 3 * run.filter(({ on }) => on === "here").length)
          assert.strictEqual(yield* (yield* Jobs).backlog, 0)
        }
        assert.isAtLeast(made, wantedChanges)
      })
    )
  })
}
