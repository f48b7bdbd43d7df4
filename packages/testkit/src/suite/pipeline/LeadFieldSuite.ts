/** The suite of rules that react to custom fields of leads. */
import { assert, describe } from "@effect/vitest"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { datesPerPiece } from "@leadloom/core/internal/domain/rule/RuleJob"
import type { Trigger } from "@leadloom/core/internal/domain/rule/Trigger"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { TriggerRuns } from "@leadloom/core/internal/port/repository/pipeline/TriggerRuns"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { createField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { createLead } from "@leadloom/core/internal/workflow/lead/CreateLead"
import { type LeadFields, updateLead } from "@leadloom/core/internal/workflow/lead/UpdateLead"
import { createMacro } from "@leadloom/core/internal/workflow/macro/Macros"
import { runMacro } from "@leadloom/core/internal/workflow/macro/RunMacro"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { leadRecord } from "../Records.ts"
import { acme, drainJobs, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { begin, everyRun, everything, later, listed, setRules, states, titles, work } from "./TriggerWorld.ts"

/** A rule that creates a task with its id as the title. */
const on = (id: string, trigger: Trigger, more: Partial<Rule> = {}): Rule => ({
  id,
  name: `Rule ${id}`,
  priority: 1,
  trigger,
  when: everything,
  actions: [{ type: "create_task", task_type: "follow_up", title: id }],
  ...more
})

const plan = on("plan", { type: "field_changed", entity: "lead", field: "plan" })
const ofContact = on("contact", { type: "field_changed", field: "plan" })

/** Creates fields of leads and of contacts with the same keys. */
const openFields = Effect.gen(function* () {
  for (const entity of ["contact", "lead"] as const) {
    yield* createField("acme", { key: "plan", label: "Plan", type: "text", entity })
    yield* createField("acme", { key: "ends_on", label: "Ends", type: "date", entity })
  }
})

const set = (leadId: string, customFields: NonNullable<LeadFields["customFields"]>) =>
  updateLead("acme", leadId, { customFields })

const outcomes = Effect.map(listed(), (runs) => runs.map(({ reason, state }) => [state, reason]).toReversed())

const updates = Effect.map(acme.events(), (all) => all.filter(({ type }) => type === "lead.updated"))

const newLead = (contactId: string, fields: LeadFields) =>
  Effect.flatMap(
    Effect.flatMap(Tenants, ({ get }) => get("acme")),
    (tenant) =>
      createLead({
        tenant,
        contact: { contactId },
        subject: "A shed",
        channel: "sms",
        source: "api",
        fields,
        stageId: null,
        message: null,
        runPipeline: false
      })
  )

/** Tests rules that react to custom fields of leads, on a store. */
export const leadFieldSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`rules that react to custom fields of leads on ${name}`, () => {
    scene("run for the lead that changed, and not for the field of the contact with the same key", () =>
      Effect.gen(function* () {
        const { contactId, leadId } = yield* begin([], false)
        yield* openFields
        const gold = { fact: "lead.custom_fields.plan", op: "eq", value: "Gold" } as const
        yield* setRules({ ...plan, when: gold }, ofContact)
        // A second lead of the contact, which is not that of the conversation.
        const { leadId: second } = yield* newLead(contactId, {})
        yield* set(second, { plan: "Gold" })
        yield* work
        const [run] = yield* listed()
        assert.deepStrictEqual(
          [run?.ruleId, run?.leadId, run?.change, run?.state],
          ["plan", second, { field: "plan", from: null, to: "Gold" }, "ran"]
        )
        yield* set(leadId, { plan: "Silver" })
        yield* work
        assert.deepStrictEqual(yield* states, ["ran", "not_matched"])
        yield* updateContact("acme", contactId, { customFields: { plan: "Gold" } })
        yield* work
        assert.deepStrictEqual((yield* titles(contactId)).toSorted(), ["contact", "plan"])
        // The same value, and other fields, are no change of the field.
        yield* set(leadId, { plan: "Silver" })
        yield* updateLead("acme", leadId, { subject: "A roof and a shed", tags: ["big"] })
        yield* work
        assert.strictEqual((yield* states).length, 3)
        const events = yield* updates
        assert.deepStrictEqual(
          events.map(({ data }) => [data["lead_id"], data["custom_fields"], data["tags"]]),
          [
            [second, { plan: "Gold" }, []],
            [leadId, { plan: "Silver" }, []],
            [leadId, { plan: "Silver" }, ["big"]]
          ]
        )
      })
    )

    scene("run for new leads with the field, and for changes by macros and by rules for messages", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([], false)
        yield* openFields
        const byMessage: Rule = {
          id: "price",
          name: "Price",
          priority: 1,
          when: { fact: "message.text", op: "contains", value: "yes" },
          actions: [{ type: "set_field", entity: "lead", field: "plan", value: "Bronze" }]
        }
        yield* setRules(plan, byMessage)
        yield* newLead(contactId, { customFields: { plan: "Gold" } })
        yield* work
        assert.deepStrictEqual(yield* titles(contactId), ["plan"])
        const macro = yield* createMacro("acme", {
          name: "Silver",
          actions: [{ type: "set_field", entity: "lead", field: "plan", value: "Silver" }]
        })
        yield* runMacro(yield* (yield* Tenants).get("acme"), macro.macroId, contactId)
        yield* work
        assert.strictEqual((yield* titles(contactId)).length, 2)
        yield* acme.handleMail({ id: "yes@customer.example", body: "yes" })
        yield* work
        assert.strictEqual((yield* titles(contactId)).length, 3)
        const changes = (yield* listed()).map(({ change }) => [change?.from, change?.to]).toReversed()
        assert.deepStrictEqual(changes[0], [null, "Gold"])
        assert.deepStrictEqual(
          changes.map(([, to]) => to),
          ["Gold", "Silver", "Bronze"]
        )
      })
    )

    scene("check when they run that the lead still has the value", () =>
      Effect.gen(function* () {
        const { contactId, leadId } = yield* begin([], false)
        const waiting = on("plan", { type: "field_changed", entity: "lead", field: "plan", after_minutes: 60 })
        const refused = yield* Effect.flip(setRules(waiting))
        assert.include(JSON.stringify(refused), "The entity lead has no custom field")
        yield* openFields
        yield* setRules(waiting)
        yield* set(leadId, { plan: "Gold" })
        yield* TestClock.adjust("1 minute")
        yield* set(leadId, { plan: "Silver" })
        yield* later("2 hours")
        assert.deepStrictEqual(yield* outcomes, [
          ["prevented", "the field plan has changed again"],
          ["ran", "always"]
        ])
        assert.deepStrictEqual(yield* titles(contactId), ["plan"])
        yield* set(leadId, { plan: "Gold" })
        yield* setRules({ ...ofContact, id: "plan" })
        yield* later("2 hours")
        assert.deepStrictEqual((yield* outcomes).at(-1), ["prevented", "the trigger of the rule was changed"])
      })
    )

    scene("cause no rules themselves", () =>
      Effect.gen(function* () {
        const { leadId } = yield* begin([], false)
        yield* openFields
        const toggle = (id: string, value: string): Rule => ({
          ...on(id, { type: "field_changed", entity: "lead", field: "plan" }),
          actions: [{ type: "set_field", entity: "lead", field: "plan", value }]
        })
        yield* setRules(toggle("ping", "a"), toggle("pong", "b"))
        yield* set(leadId, { plan: "start" })
        yield* later("1 day")
        assert.deepStrictEqual((yield* states).toSorted(), ["prevented", "ran"])
      })
    )

    scene("run at the dates of leads, also those that were stored before the rule", () =>
      Effect.gen(function* () {
        const { contactId, leadId } = yield* begin([], false)
        yield* openFields
        const ends = on("ends", { type: "date_reached", entity: "lead", field: "ends_on", days: -1, at: "17:00" })
        const refused = yield* Effect.flip(
          setRules(on("plan", { type: "date_reached", entity: "lead", field: "plan" }))
        )
        assert.include(JSON.stringify(refused), "Name a field of the type date.")
        yield* updateContact("acme", contactId, { customFields: { ends_on: "2026-03-05" } })
        const { leadId: second } = yield* newLead(contactId, { customFields: { ends_on: "2026-03-06" } })
        yield* newLead(contactId, { customFields: { ends_on: "2026-03-01" } })
        yield* setRules(ends)
        yield* set(leadId, { ends_on: "2026-03-06" })
        // The same date of the same lead is the same cause.
        yield* set(leadId, { ends_on: "2026-03-07" })
        yield* set(leadId, { ends_on: "2026-03-06" })
        yield* drainJobs
        yield* later("5 days")
        assert.deepStrictEqual(
          (yield* listed()).map((run) => [run.leadId, run.state, run.change?.to]).toSorted(),
          [
            [leadId, "ran", "2026-03-06"],
            [leadId, "prevented", "2026-03-07"],
            [second, "ran", "2026-03-06"]
          ].toSorted()
        )
        assert.deepStrictEqual(yield* titles(contactId), ["ends", "ends"])
      })
    )

    scene("read the stored dates of leads in pieces", () =>
      Effect.gen(function* () {
        yield* acme.open({ timeZone: "UTC" })
        yield* openFields
        const { contactId } = yield* createContact("acme", { email: "ann@customer.example" })
        const { insert } = yield* Leads
        const customFields = { ends_on: "2026-03-20" }
        for (let number = 1; number <= datesPerPiece + 1; number++)
          yield* insert(leadRecord("acme", number, { contactId, customFields }))
        yield* setRules(on("ends", { type: "date_reached", entity: "lead", field: "ends_on" }))
        yield* drainJobs
        const all = yield* (yield* TriggerRuns).page("acme", everyRun, 1_000, null)
        assert.strictEqual(new Set(all.map((run) => run.leadId)).size, datesPerPiece + 1)
      })
    )
  })
}
