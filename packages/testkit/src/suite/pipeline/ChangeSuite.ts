import { assert, describe } from "@effect/vitest"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import type { Trigger } from "@leadloom/core/internal/domain/rule/Trigger"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { tagContact } from "@leadloom/core/internal/workflow/contact/TagContact"
import { undoMerge } from "@leadloom/core/internal/workflow/contact/UndoMerge"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { createField, removeField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { transitionLead } from "@leadloom/core/internal/workflow/lead/TransitionLead"
import { scoreLead } from "@leadloom/core/internal/workflow/pipeline/ScoreLead"
import { createTask } from "@leadloom/core/internal/workflow/task/CreateTask"
import { updateTask } from "@leadloom/core/internal/workflow/task/UpdateTask"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { begin, chase, everything, later, listed, reply, setRules, states, titles, work } from "./TriggerWorld.ts"

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

/** Returns the state and the reason of each run, oldest first. */
const outcomes = Effect.map(listed(), (runs) => runs.map(({ reason, state }) => [state, reason]).toReversed())

/** Tests rules that react to changes, on a store. */
export const changeSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`rules that react to changes on ${name}`, () => {
    scene("run at once when a lead enters or leaves a state", () =>
      Effect.gen(function* () {
        const entered = on("entered", { type: "lead_state_changed", to: "qualified" })
        const left = on("left", { type: "lead_state_changed", from: "open" })
        const { contactId, leadId } = yield* begin([entered, left], false)
        yield* transitionLead("acme", leadId, "engaged", "a call")
        yield* work
        assert.deepStrictEqual(yield* titles(contactId), ["left"])
        yield* transitionLead("acme", leadId, "qualified", "a visit")
        yield* work
        assert.deepStrictEqual((yield* titles(contactId)).toSorted(), ["entered", "left"])
        const [run] = yield* listed()
        const { change, messageId } = run ?? {}
        assert.deepStrictEqual(
          [run?.leadId, messageId, change],
          [leadId, null, { field: "state", from: "engaged", to: "qualified" }]
        )
      })
    )

    scene("find leads that stay in a state, from their beginning", () =>
      Effect.gen(function* () {
        const stuck = on("stuck", { type: "lead_state_changed", to: "open", after_minutes: 120 })
        const { contactId, leadId } = yield* begin([stuck], false)
        yield* later("1 hour")
        // The lead leaves the state and returns to it, so its time begins again.
        yield* transitionLead("acme", leadId, "archived", null)
        yield* transitionLead("acme", leadId, "open", null)
        yield* later("1 hour")
        assert.deepStrictEqual(yield* outcomes, [
          ["prevented", "the rule has a newer change of the lead"],
          ["waiting", null]
        ])
        yield* later("1 hour")
        assert.deepStrictEqual(yield* titles(contactId), ["stuck"])
        yield* transitionLead("acme", leadId, "archived", null)
        yield* transitionLead("acme", leadId, "open", null)
        yield* transitionLead("acme", leadId, "engaged", null)
        yield* later("1 day")
        assert.deepStrictEqual((yield* outcomes).at(-1), ["prevented", "the lead is engaged"])
        assert.deepStrictEqual(yield* titles(contactId), ["stuck"])
      })
    )

    scene("react to the stage of a lead", () =>
      Effect.gen(function* () {
        const moved = on("moved", { type: "lead_stage_changed", from: "stg_open" })
        const elsewhere = on("elsewhere", { type: "lead_stage_changed", to: "stg_unknown" })
        const { contactId, leadId } = yield* begin([moved, elsewhere], false)
        yield* transitionLead("acme", leadId, "engaged", null)
        yield* work
        assert.deepStrictEqual([yield* titles(contactId), yield* states], [["moved"], ["ran"]])
      })
    )

    scene("react to the first stage of a new lead", () =>
      Effect.gen(function* () {
        const entered = on("entered", { type: "lead_stage_changed", to: "stg_open" })
        const any = on("any", { type: "lead_stage_changed" })
        const { contactId, leadId } = yield* begin([entered, any], false)
        yield* work
        assert.deepStrictEqual((yield* titles(contactId)).toSorted(), ["any", "entered"])
        const [run] = yield* listed()
        assert.deepStrictEqual([run?.leadId, run?.change], [leadId, { field: "stage_id", from: null, to: "stg_open" }])
        yield* transitionLead("acme", leadId, "archived", null)
        yield* transitionLead("acme", leadId, "open", null)
        yield* work
        assert.strictEqual((yield* titles(contactId)).length, 4)
      })
    )

    scene("react to tags of people and of rules for messages", () =>
      Effect.gen(function* () {
        const added = on("added", { type: "tag_added", tag: "vip" })
        const removed = on(
          "removed",
          { type: "tag_removed", tag: "vip" },
          { when: { fact: "contact.tags", op: "includes", value: "old" } }
        )
        const byMessage: Rule = {
          id: "price",
          name: "Price",
          priority: 1,
          when: { fact: "message.text", op: "contains", value: "yes" },
          actions: [{ type: "tag", tag: "vip" }]
        }
        const { contactId } = yield* begin([added, removed, byMessage], false)
        yield* tagContact("acme", contactId, ["other"])
        yield* work
        assert.deepStrictEqual(yield* states, [])
        yield* reply("yes", "Mon, 02 Mar 2026 09:20:00 +0000")
        yield* work
        assert.deepStrictEqual(yield* titles(contactId), ["added"])
        yield* updateContact("acme", contactId, { tags: ["old"] })
        yield* work
        yield* createContact("acme", { name: "Ann", email: "ann@customer.example", tags: ["vip"] })
        yield* work
        assert.deepStrictEqual((yield* titles(contactId)).toSorted(), ["added", "removed"])
        assert.deepStrictEqual(yield* states, ["ran", "ran", "ran"])
      })
    )

    scene("check when they run that the change still applies", () =>
      Effect.gen(function* () {
        const after_minutes = 60
        const vip = on("vip", { type: "tag_added", tag: "vip", after_minutes })
        const plan = on("plan", { type: "field_changed", field: "plan", after_minutes })
        const { contactId } = yield* begin([], false)
        const refused = yield* Effect.flip(setRules(vip, plan))
        assert.include(JSON.stringify(refused), "rules.1.trigger.field")
        const field = yield* createField("acme", { key: "plan", label: "Plan", type: "text" })
        yield* setRules(vip, plan)
        assert.strictEqual((yield* Effect.flip(removeField("acme", field.fieldId)))._tag, "CustomFieldInUse")
        yield* tagContact("acme", contactId, ["vip"])
        yield* updateContact("acme", contactId, { tags: [], customFields: { plan: "Gold" } })
        yield* TestClock.adjust("1 minute")
        yield* updateContact("acme", contactId, { customFields: { plan: "Silver" } })
        yield* later("2 hours")
        assert.deepStrictEqual(yield* titles(contactId), ["plan"])
        assert.deepStrictEqual((yield* outcomes).slice(0, 2), [
          ["prevented", "the tag was removed"],
          ["prevented", "the field plan has changed again"]
        ])
        yield* tagContact("acme", contactId, ["vip"])
        yield* setRules(on("vip", { type: "tag_added", tag: "gold" }))
        yield* later("2 hours")
        assert.deepStrictEqual((yield* outcomes).at(-1), ["prevented", "the trigger of the rule was changed"])
      })
    )

    scene("run at a time before or after a date, in the time zone of the tenant", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([], false)
        yield* createField("acme", { key: "visit_on", label: "Visit", type: "date" })
        yield* createField("acme", { key: "plan", label: "Plan", type: "text" })
        const refused = yield* Effect.flip(setRules(on("plan", { type: "date_reached", field: "plan" })))
        assert.include(JSON.stringify(refused), "Name a field of the type date.")
        const tenants = yield* Tenants
        const { config } = yield* tenants.get("acme")
        const before = on("before", { type: "date_reached", field: "visit_on", days: -1, at: "17:00" })
        const rules = [before, on("day", { type: "date_reached", field: "visit_on" })]
        yield* saveConfig("acme", { ...config, timeZone: "America/New_York", rules })
        const set = (date: string) => updateContact("acme", contactId, { customFields: { visit_on: date } })
        // The clock stands on 2 March 2026 in the morning, UTC. New York changes to summer time on 8 March.
        yield* set("2026-02-27")
        yield* set("2026-03-09")
        yield* set("2026-03-08")
        yield* set("2026-03-09")
        const runTimes = (yield* listed()).map(({ runAt }) => new Date(runAt).toISOString()).toReversed()
        assert.deepStrictEqual(runTimes, [
          "2026-03-08T21:00:00.000Z",
          "2026-03-09T13:00:00.000Z",
          "2026-03-07T22:00:00.000Z",
          "2026-03-08T13:00:00.000Z"
        ])
        yield* later("8 days")
        assert.deepStrictEqual((yield* titles(contactId)).toSorted(), ["before", "day"])
        assert.deepStrictEqual(yield* outcomes, [
          ["ran", "always"],
          ["ran", "always"],
          ["prevented", "the field visit_on has changed again"],
          ["prevented", "the field visit_on has changed again"]
        ])
      })
    )

    scene("react to a score that rises to a value", () =>
      Effect.gen(function* () {
        const { contactId, leadId } = yield* begin([], false)
        yield* setRules(
          on("low", { type: "score_reached", score: 1 }),
          on("hot", { type: "score_reached", score: 100 })
        )
        const score = Effect.gen(function* () {
          yield* scoreLead(yield* (yield* Tenants).get("acme"), leadId)
          yield* work
        })
        // The lead had reached a score before the rules were saved.
        yield* score
        assert.deepStrictEqual(yield* states, [])
        yield* createContact("acme", { name: "Ann", email: "ann@customer.example" })
        const { contactId: second } = yield* acme.handleMail({
          id: "new@x.example",
          from: "Ann <ann@customer.example>"
        })
        yield* work
        assert.deepStrictEqual([yield* titles(contactId), yield* titles(second)], [[], ["low"]])
      })
    )

    scene("run when a task is due and not done", () =>
      Effect.gen(function* () {
        const overdue = on("overdue", { type: "task_due", task_type: "callback", after_minutes: 30 })
        const { contactId, leadId } = yield* begin([overdue], false)
        const now = yield* Clock.currentTimeMillis
        const request = {
          title: "Call",
          type: "callback" as const,
          priority: "normal" as const,
          description: null,
          dueAt: now + 3_600_000,
          remindAt: null,
          recurrence: null,
          contactId,
          leadId,
          assigneeId: null,
          teamId: null
        }
        const late = yield* createTask("acme", request)
        const moved = yield* createTask("acme", { ...request, title: "Moved" })
        const done = yield* createTask("acme", { ...request, title: "Done" })
        yield* createTask("acme", { ...request, title: "Review", type: "review" })
        yield* updateTask("acme", moved.taskId, { dueAt: now + 7_200_000 })
        yield* updateTask("acme", done.taskId, { status: "done" })
        yield* later("89 minutes")
        assert.deepStrictEqual(yield* states, ["waiting", "waiting", "waiting", "waiting"])
        yield* later("1 minute")
        assert.deepStrictEqual((yield* outcomes).toSorted(), [
          ["prevented", "the due time of the task has changed"],
          ["prevented", "the task is done"],
          ["ran", "always"],
          ["waiting", null]
        ])
        const ran = (yield* listed()).find(({ state }) => state === "ran")
        assert.deepStrictEqual([ran?.taskId, ran?.leadId], [late.taskId, leadId])
        // The same due time is the same cause.
        yield* updateTask("acme", late.taskId, { dueAt: now + 9_000_000 })
        yield* updateTask("acme", late.taskId, { dueAt: now + 3_600_000 })
        yield* later("1 day")
        const all = yield* titles(contactId)
        assert.strictEqual(all.filter((title) => title === "overdue").length, 2)
      })
    )

    scene("cause no rules themselves, so that two rules cannot cause each other", () =>
      Effect.gen(function* () {
        const ping = on("ping", { type: "tag_added", tag: "a" }, { actions: [{ type: "tag", tag: "b" }] })
        const pong = on("pong", { type: "tag_added", tag: "b" }, { actions: [{ type: "tag", tag: "a" }] })
        const tasks = on("tasks", { type: "task_due" })
        const { contactId } = yield* begin([ping, pong, tasks], false)
        yield* tagContact("acme", contactId, ["a"])
        yield* later("1 day")
        assert.deepStrictEqual(yield* states, ["ran"])
        yield* setRules(
          ping,
          pong,
          tasks,
          on(
            "due",
            { type: "tag_added", tag: "c" },
            {
              actions: [{ type: "create_task", task_type: "follow_up", title: "c", due_in_minutes: 1 }]
            }
          )
        )
        yield* tagContact("acme", contactId, ["c"])
        yield* later("1 day")
        assert.deepStrictEqual(yield* states, ["ran", "ran"])
      })
    )

    scene("ignore disabled rules, other tenants, old mail and merges", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([{ ...on("off", { type: "tag_added", tag: "vip" }), enabled: false }], false)
        yield* tagContact("acme", contactId, ["vip"])
        yield* setRules(
          chase,
          on("merged", { type: "tag_added", tag: "vip" }),
          on("opened", { type: "lead_state_changed", to: "open" })
        )
        const ann = yield* createContact("acme", { name: "Ann", email: "ann@customer.example" })
        yield* mergeContacts("acme", ann.contactId, contactId)
        yield* TestClock.adjust("2 hours")
        yield* acme.handleMail({ id: "old@x.example", from: "Bo <bo@customer.example>" })
        yield* work
        assert.deepStrictEqual(yield* states, [])
      })
    )

    scene("do not run for the contact of a merge after the merge was undone and the lead left it", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([], false)
        const ann = yield* acme.handleMail({ id: "ann@customer.example", from: "Ann <ann@customer.example>" })
        yield* setRules(
          on("later", { type: "lead_state_changed", to: "engaged", after_minutes: 60 }),
          on("now", { type: "lead_state_changed", to: "engaged" })
        )
        const { merge } = yield* mergeContacts("acme", contactId, ann.contactId)
        yield* transitionLead("acme", present(ann.leadId), "engaged", null)
        yield* work
        yield* undoMerge("acme", merge.mergeId)
        yield* later("1 hour")
        assert.deepStrictEqual((yield* outcomes).toSorted(), [
          ["prevented", "the lead belongs to another contact"],
          ["ran", "always"]
        ])
        assert.notInclude(yield* titles(contactId), "later")
      })
    )
  })
}
