/** Suites of macros: validation, and the effects of a run on contact, lead, tasks and events. */
import { assert, describe } from "@effect/vitest"
import type { MacroFields } from "@leadloom/core/internal/domain/rule/Macro"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { createMacro, updateMacro } from "@leadloom/core/internal/workflow/macro/Macros"
import { runMacro } from "@leadloom/core/internal/workflow/macro/RunMacro"
import { Effect } from "effect"
import { acme, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const everything: MacroFields = {
  name: "Book a visit",
  actions: [
    { type: "tag", tag: "visit {{ contact.first_name }}" },
    { type: "assign", to: "kim" },
    { type: "transition", state: "engaged" },
    { type: "create_task", task_type: "callback", title: "Call {{ contact.name }}", due_in_minutes: 30 },
    { type: "notify", message: "{{ message.subject }}", to: "#sales" },
    { type: "crm_action", action: "add_tag", tag: "visit" }
  ]
}

const run = Effect.fnUntraced(function* (macroId: string, contactId: string) {
  const { actions } = yield* runMacro(yield* (yield* Tenants).get("acme"), macroId, contactId)
  return actions.map(({ outcome, reason, type }) => `${type} ${outcome}: ${reason}`)
})

const pathsOf = (fields: MacroFields) =>
  Effect.map(Effect.flip(createMacro("acme", fields)), (error) =>
    error._tag === "MacroInvalid" ? error.issues.map(({ path }) => path) : [error._tag]
  )

/** Tests the workflows of macros on a store. */
export const macroSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`macros on ${name}`, () => {
    scene("carries out every action on the contact and its lead, and reports each outcome", () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* acme.connectMail()
        const { contactId, leadId } = yield* acme.handleMail()
        const before = (yield* acme.events()).length
        const { macroId } = yield* createMacro("acme", everything)
        assert.deepStrictEqual(yield* run(macroId, contactId), [
          "tag done: tag visit Jo",
          "assign done: to kim",
          "transition done: open to engaged",
          "create_task done: Call Jo Smith",
          "notify done: rule.notified, no webhook receives it now",
          "crm_action skipped: no CRM connected"
        ])
        assert.deepInclude(yield* acme.leadOf(leadId), { assignee: "kim", state: "engaged" })
        assert.deepStrictEqual((yield* acme.contactOf(contactId)).tags, ["visit Jo"])
        const [task] = yield* acme.tasksOf(contactId)
        assert.deepInclude(present(task), { type: "callback", title: "Call Jo Smith", leadId, signalId: null })
        const events = (yield* acme.events()).slice(before)
        const ofMacro = events.filter(({ type }) => !type.startsWith("task."))
        assert.deepStrictEqual(
          ofMacro.map(({ type }) => type),
          ["rule.notified", "contact.updated", "lead.state_changed", "lead.stage_changed"]
        )
        assert.deepInclude(present(ofMacro[0]).data, { rule_id: macroId, text: "A roof", signal_id: null })
        assert.deepInclude(present(ofMacro[2]).data, { reason: "the macro Book a visit" })
      })
    )
    scene("skips actions on a lead for a contact without one, and keeps the other effects", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const { contactId } = yield* createContact("acme", { email: "ann@customer.example" })
        const { macroId } = yield* createMacro("acme", everything)
        const outcomes = yield* run(macroId, contactId)
        assert.deepStrictEqual(
          outcomes.map((text) => text.split(":", 1)[0]),
          [
            "tag done",
            "assign skipped",
            "transition skipped",
            "create_task done",
            "notify skipped",
            "crm_action skipped"
          ]
        )
        assert.deepStrictEqual((yield* (yield* Contacts).get("acme", contactId)).tags, ["visit"])
        assert.strictEqual((yield* Effect.flip(run("mac_nothing", contactId)))._tag, "MacroNotFound")
        assert.strictEqual((yield* Effect.flip(run(macroId, "con_nothing")))._tag, "ContactNotFound")
      })
    )
    scene("rejects actions of rules only and broken templates when it is saved", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const fields: MacroFields = {
          name: " ",
          actions: [{ type: "reply" }, { type: "tag", tag: "{% nothing %}" }, { type: "stop" }]
        }
        const expected = ["name", "actions.0.type", "actions.2.type", "actions.1.tag"]
        assert.deepStrictEqual(yield* pathsOf(fields), expected)
        const { macroId } = yield* createMacro("acme", everything)
        const wrong = updateMacro("acme", macroId, { actions: [{ type: "suppress_reply" }] })
        assert.strictEqual((yield* Effect.flip(wrong))._tag, "MacroInvalid")
      })
    )
  })
}
