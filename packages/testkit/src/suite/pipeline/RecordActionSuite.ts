import { assert, describe } from "@effect/vitest"
import type { Action, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { tagContact } from "@leadloom/core/internal/workflow/contact/TagContact"
import { createField, removeField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { createMacro } from "@leadloom/core/internal/workflow/macro/Macros"
import { runMacro } from "@leadloom/core/internal/workflow/macro/RunMacro"
import { listNotes } from "@leadloom/core/internal/workflow/note/Notes"
import { readPipelines } from "@leadloom/core/internal/workflow/deal/LeadPlaces"
import { Effect } from "effect"
import { acme, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { begin, everything, setRules } from "./TriggerWorld.ts"

const rule = (...actions: readonly [Action, ...ReadonlyArray<Action>]): Rule => ({
  id: "records",
  name: "Records",
  priority: 1,
  when: everything,
  actions
})

/** Carries out actions as a macro. Returns their outcomes. */
const perform = Effect.fnUntraced(function* (
  contactId: string,
  ...actions: readonly [Action, ...ReadonlyArray<Action>]
) {
  const { macroId } = yield* createMacro("acme", { name: "All", actions })
  const { actions: performed } = yield* runMacro(yield* (yield* Tenants).get("acme"), macroId, contactId)
  return performed.map(({ outcome, reason }) => [outcome, reason])
})

const stagesOf = Effect.map(readPipelines("acme"), (pipelines) => present(pipelines[0]).stages)

/** Tests the actions that change records: tags, custom fields, notes and stages, on a store. */
export const recordActionSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`actions that change records on ${name}`, () => {
    scene("of a rule change the contact and the lead, and write a note that mentions no one", () =>
      Effect.gen(function* () {
        yield* begin([], false)
        yield* createField("acme", { key: "plan", label: "Plan", type: "text" })
        yield* createField("acme", { key: "budget", label: "Budget", type: "number", entity: "lead" })
        const stages = yield* stagesOf
        const engaged = present(stages.find(({ state }) => state === "engaged"))
        yield* setRules(
          rule(
            { type: "tag", tag: "new" },
            { type: "tag", tag: "gone" },
            { type: "untag", tag: "gone" },
            { type: "set_field", field: "plan", value: "Gold" },
            { type: "set_field", entity: "lead", field: "budget", value: 900 },
            { type: "move_stage", stage: engaged.stageId },
            { type: "add_note", body: "{{ contact.first_name }} wrote about {{ message.subject }}" }
          )
        )
        const subject = "A roof <@usr_00000000000000000000000001>"
        const mail = { id: "ann@x.example", from: "Ann <ann@customer.example>", subject }
        const { contactId, leadId } = yield* acme.handleMail(mail)
        const contact = yield* (yield* Contacts).get("acme", contactId)
        assert.deepStrictEqual([contact.tags, contact.customFields], [["new"], { plan: "Gold" }])
        const lead = yield* (yield* Leads).get("acme", present(leadId))
        assert.deepStrictEqual(
          [lead.state, lead.stageId, lead.customFields],
          ["engaged", engaged.stageId, { budget: 900 }]
        )
        const { items } = yield* listNotes("acme", contactId, { limit: 5, cursor: null })
        assert.deepStrictEqual(
          items.map(({ author, authorId, body, mentions }) => ({ author, authorId, body, mentions })),
          [{ author: "rule:records", authorId: null, body: `Ann wrote about ${subject}`, mentions: [] }]
        )
      })
    )

    scene("are skipped with a reason if they have no effect", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([], false)
        const field = yield* createField("acme", { key: "plan", label: "Plan", type: "text" })
        yield* tagContact("acme", contactId, ["vip"])
        const stages = yield* stagesOf
        const won = present(stages.find(({ state }) => state === "won"))
        assert.deepStrictEqual(
          yield* perform(
            contactId,
            { type: "untag", tag: "other" },
            { type: "set_field", field: "plan", value: "Gold" },
            { type: "set_field", field: "plan", value: "Gold" },
            { type: "set_field", field: "plan", value: null },
            { type: "move_stage", stage: won.stageId },
            { type: "move_stage", stage: "stg_unknown" }
          ),
          [
            ["skipped", "the contact does not have the tag"],
            ["done", "field plan"],
            ["skipped", "the field plan already has the value"],
            ["done", "field plan"],
            ["skipped", "a lead in the state open can change only to engaged, archived"],
            ["skipped", "the stage stg_unknown does not exist"]
          ]
        )
        yield* removeField("acme", field.fieldId)
        const [[outcome, reason] = []] = yield* perform(contactId, { type: "set_field", field: "plan", value: "Gold" })
        assert.deepStrictEqual(
          [outcome, reason],
          ["skipped", "the field plan was not set: There is no such custom field. Create it first: POST …/fields"]
        )
      })
    )

    scene("of a rule name fields that exist, with values of their type", () =>
      Effect.gen(function* () {
        yield* begin([], false)
        const field = yield* createField("acme", { key: "size", label: "Size", type: "number" })
        const refused = (action: Action) =>
          Effect.map(Effect.flip(setRules(rule(action))), (error) => JSON.stringify(error))
        assert.include(
          yield* refused({ type: "set_field", entity: "lead", field: "size", value: 5 }),
          "rules.0.actions.0.field"
        )
        assert.include(yield* refused({ type: "set_field", field: "size", value: "5" }), "rules.0.actions.0.value")
        yield* setRules(rule({ type: "set_field", field: "size", value: 5 }))
        assert.strictEqual((yield* Effect.flip(removeField("acme", field.fieldId)))._tag, "CustomFieldInUse")
      })
    )

    scene(
      "with `unless_open`, a rule creates a task with its priority once, and again only after the task is done",
      () =>
        Effect.gen(function* () {
          const urgent = { type: "create_task", task_type: "callback", title: "Water", priority: "urgent" } as const
          yield* acme.open({ rules: [rule({ ...urgent, unless_open: true })] })
          const outcomeOf = Effect.map(
            acme.handleRequest(),
            ({ result }) => result.actions.map(({ outcome, reason }) => `${outcome}: ${reason}`)[0]
          )
          assert.strictEqual(yield* outcomeOf, "done: Water")
          assert.strictEqual(yield* outcomeOf, "skipped: the contact has an open task with this title")
          const { signalId } = yield* acme.handleRequest()
          const { contactId } = yield* acme.runOf(signalId)
          const [task, ...others] = yield* acme.tasksOf(contactId)
          assert.deepStrictEqual([task?.priority, others.length], ["urgent", 0])
          if (task !== undefined) yield* (yield* Tasks).update({ ...task, status: "done" })
          assert.strictEqual(yield* outcomeOf, "done: Water")
        })
    )

    scene("without `unless_open`, a rule creates a task for each message", () =>
      Effect.gen(function* () {
        yield* acme.open({ rules: [rule({ type: "create_task", task_type: "callback", title: "Water" })] })
        yield* acme.handleRequest()
        const { signalId } = yield* acme.handleRequest()
        const { contactId } = yield* acme.runOf(signalId)
        assert.strictEqual((yield* acme.tasksOf(contactId)).length, 2)
      })
    )
  })
}
