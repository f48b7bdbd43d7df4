import { assert, describe } from "@effect/vitest"
import type { Action, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { allContacts } from "@leadloom/core/internal/domain/contact/ContactFilter"
import { Activities } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { TriggerRuns } from "@leadloom/core/internal/port/repository/pipeline/TriggerRuns"
import { Enrolments } from "@leadloom/core/internal/port/repository/sequence/Enrolments"
import { Sequences } from "@leadloom/core/internal/port/repository/sequence/Sequences"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { tagContact } from "@leadloom/core/internal/workflow/contact/TagContact"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { createField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { transitionLead } from "@leadloom/core/internal/workflow/lead/TransitionLead"
import { createSegment } from "@leadloom/core/internal/workflow/segment/ChangeSegments"
import { simulateRule } from "@leadloom/core/internal/workflow/simulation/SimulateRule"
import { createTeam } from "@leadloom/core/internal/workflow/user/Teams"
import { createUser } from "@leadloom/core/internal/workflow/user/Users"
import { Clock, Effect } from "effect"
import { acme, inTenant, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { makePast } from "./PastWorld.ts"
import { passRules, ruleSimulation, saveRules, simulate, timedIds } from "./PastRuleWorld.ts"

const day = 86_400_000
const hour = 3_600_000

/** A tenant with contacts whose mails have arrived. */
const begin = Effect.fnUntraced(function* (contacts: number) {
  yield* acme.open({ timeZone: "UTC", replyMode: "off" })
  yield* acme.connectMail()
  const past = yield* makePast("acme", contacts)
  yield* passRules("acme", 60_000)
  return past
})

const tagged: Rule["actions"] = [{ type: "tag", tag: "seen" }]

const ruleWith = (more: Partial<Rule>): Rule => ({
  id: "rule",
  name: "Rule",
  priority: 1,
  trigger: { type: "tag_added", tag: "vip" },
  when: { all: [] },
  actions: tagged,
  ...more
})

const message = {
  type: "send_template",
  channel: "email",
  subject: "Hello",
  body: "Hi {{ contact.first_name }}"
} as const

type Item = Effect.Success<ReturnType<typeof simulate>>["items"][number]

const states = (items: ReadonlyArray<Item>) =>
  items.map(({ actual, simulated }) => [simulated?.state ?? null, actual?.state ?? null])

/** Everything that an action could store about a contact. */
const storedOf = Effect.fnUntraced(function* (contactId: string) {
  const entries = yield* (yield* Activities).before("acme", contactId, null, 1_000)
  const tasks = yield* acme.tasksOf(contactId)
  return JSON.stringify([
    yield* acme.contactOf(contactId),
    entries,
    tasks,
    yield* (yield* TriggerRuns).page("acme", { ruleId: null, contactId }, 100, null),
    yield* (yield* Enrolments).page("acme", { sequenceId: null, contactId, state: null }, 100, null),
    yield* (yield* Sequences).ofRule("acme", "rule"),
    (yield* (yield* Events).after("acme", 0, 1_000)).length
  ])
})

/** Tests simulations of rules with triggers on a store. */
export const ruleSimulationSuite = (name: string, store: StoreLayer): void => {
  const scenes = scenesOn(store)
  const scene: typeof scenes = (title, run) => scenes(title, (world) => Effect.provide(run(world), timedIds()))

  describe(`a simulated rule on ${name}`, () => {
    scene("finds the past causes of a draft, and compares the values of that time", () =>
      Effect.gen(function* () {
        const past = yield* begin(2)
        yield* createField("acme", { key: "plan", label: "Plan", type: "text" })
        const [one, two] = [past.idsOf(0), past.idsOf(1)]
        yield* updateContact("acme", one.contactId, { customFields: { plan: "gold" } })
        yield* passRules("acme", hour)
        yield* tagContact("acme", one.contactId, ["vip"])
        yield* tagContact("acme", two.contactId, ["vip"])
        yield* passRules("acme", hour)
        yield* updateContact("acme", one.contactId, { tags: [], customFields: { plan: "silver" } })
        yield* updateContact("acme", two.contactId, { customFields: { plan: "gold" } })
        yield* passRules("acme", day)
        const rule = ruleWith({ when: { fact: "contact.custom_fields.plan", op: "eq", value: "gold" } })
        const now = yield* simulate("acme", { rule })
        assert.deepStrictEqual(states(now.items), [
          ["ran", null],
          ["not_matched", null]
        ])
        assert.deepStrictEqual([now.simulated.ran, now.actual.causes, now.differing], [1, 0, 2])
        // An hour and a minute later, the first contact had lost the tag again.
        const later = yield* simulate("acme", {
          rule: { ...rule, trigger: { type: "tag_added", tag: "vip", after_minutes: 61 } }
        })
        assert.deepStrictEqual(
          later.items.map(({ simulated }) => [simulated?.state, simulated?.reason]),
          [
            ["prevented", "the tag was removed"],
            ["ran", 'contact.custom_fields.plan eq "gold": it is "gold"']
          ]
        )
      })
    )

    scene("runs a date that was set after its time when it was set", () =>
      Effect.gen(function* () {
        const past = yield* begin(1)
        yield* createField("acme", { key: "visit", label: "Visit", type: "date" })
        yield* saveRules("acme", ruleWith({ trigger: { type: "date_reached", field: "visit", at: "00:01" } }))
        yield* passRules("acme", hour)
        const setAt = yield* Clock.currentTimeMillis
        const visit = new Date(setAt).toISOString().slice(0, 10)
        yield* updateContact("acme", past.idsOf(0).contactId, { customFields: { visit } })
        yield* passRules("acme", hour)
        const { differing, items } = yield* simulate("acme", { ruleId: "rule" })
        assert.deepStrictEqual([states(items), differing], [[["ran", "ran"]], 0])
        assert.deepStrictEqual(
          items.map(({ simulated }) => simulated?.updatedAt),
          [setAt]
        )
      })
    )

    scene("shows who would have got which message and when, and why not", () =>
      Effect.gen(function* () {
        const past = yield* begin(3)
        yield* past.consent(1, true)
        yield* passRules("acme", hour)
        for (const contact of [0, 1, 2]) yield* past.write(contact)
        const wroteAt = yield* Clock.currentTimeMillis
        yield* passRules("acme", hour)
        yield* past.reply(2)
        yield* passRules("acme", 2 * day)
        const rule = ruleWith({ trigger: { type: "no_answer", after_minutes: 1_440 }, actions: [message] })
        const { items, simulated } = yield* simulate("acme", { rule })
        const shown = items.map(({ cause, enrolments, simulated: run }) => [
          [0, 1, 2].findIndex((contact) => past.idsOf(contact).contactId === cause.contactId),
          run?.state,
          run?.actions.map(({ outcome, reason }) => [outcome, reason]),
          enrolments.map((one) => one?.history.map(({ at, outcome }) => [outcome, at]))
        ])
        assert.deepStrictEqual(shown, [
          [0, "ran", [["done", "in Rule rule"]], [[["sent", wroteAt + day]]]],
          [2, "prevented", [], []]
        ])
        assert.deepStrictEqual(simulated.actions, { send_template: 1 })
        const tried = ruleWith({ trigger: { type: "lead_state_changed", to: "engaged" }, actions: [message] })
        yield* transitionLead("acme", past.idsOf(1).leadId, "engaged", null)
        yield* passRules("acme", day)
        const refused = yield* simulate("acme", { rule: tried })
        assert.deepStrictEqual(
          refused.items.map((item) => item.simulated?.actions.map(({ outcome, reason }) => [outcome, reason])),
          [[["skipped", "the contact has opted out"]]]
        )
      })
    )

    scene("stores and sends nothing, whatever the actions are", ({ mail }) =>
      Effect.gen(function* () {
        const past = yield* begin(1)
        const { contactId } = past.idsOf(0)
        const sequence = yield* past.sequence([
          { name: "one", kind: "task", title: "Call", delay: { amount: 1, unit: "hours" } }
        ])
        yield* past.enrol(0, sequence)
        yield* passRules("acme", 60_000)
        yield* createField("acme", { key: "plan", label: "Plan", type: "text" })
        const user = yield* createUser("acme", { email: "kim@acme.com", name: "Kim" }, {})
        const team = yield* createTeam("acme", { name: "Sales", memberIds: [user.userId] })
        yield* tagContact("acme", contactId, ["vip"])
        yield* passRules("acme", 60_000)
        const first: Action = { type: "stop_sequence", sequence }
        const others: ReadonlyArray<Action> = [
          { type: "tag", tag: "seen" },
          { type: "untag", tag: "vip" },
          { type: "set_field", field: "plan", value: "gold" },
          { type: "assign", to: team.teamId, strategy: "round_robin" },
          { type: "add_note", body: "Note" },
          { type: "create_task", task_type: "follow_up", title: "Call", due_in_minutes: 5 },
          { type: "transition", state: "engaged" },
          { type: "notify", message: "Look" },
          { type: "close_conversation" },
          { type: "start_sequence", sequence },
          message
        ]
        const before = yield* storedOf(contactId)
        const { items } = yield* simulate("acme", { rule: ruleWith({ actions: [first, ...others] }) })
        assert.deepStrictEqual(
          items.map(({ simulated }) => simulated?.actions.map(({ outcome, type }) => [type, outcome])),
          [[first, ...others].map(({ type }) => [type, type === "start_sequence" ? "skipped" : "done"])]
        )
        assert.strictEqual(yield* storedOf(contactId), before)
        yield* passRules("acme", day)
        assert.strictEqual(mail.outbox.length, 0)
      })
    )

    scene("fires schedules, and takes only the real runs of manual rules", () =>
      Effect.gen(function* () {
        yield* begin(2)
        yield* passRules("acme", 2 * day)
        const { segmentId } = yield* createSegment("acme", { name: "All", filters: allContacts })
        const trigger = { type: "schedule", cron: "30 12 * * *", segment: segmentId } as const
        const { items, more, notes } = yield* simulate("acme", { rule: ruleWith({ trigger }) })
        assert.deepStrictEqual([items.length, more, notes.length], [4, false, 1])
        assert.isTrue(items.every(({ simulated }) => simulated?.state === "ran"))
        const manual = yield* simulate("acme", { rule: ruleWith({ trigger: { type: "manual" } }) })
        assert.deepStrictEqual([manual.items.length, manual.notes.length], [0, 1])
      })
    )

    scene("is bounded, paged, and belongs to its tenant", () =>
      Effect.gen(function* () {
        const past = yield* begin(3)
        yield* saveRules("acme", ruleWith({}))
        for (const contact of [0, 1, 2]) {
          yield* tagContact("acme", past.idsOf(contact).contactId, ["vip"])
          yield* passRules("acme", hour)
        }
        const limited = yield* simulate("acme", { ruleId: "rule", limit: 2 })
        assert.deepStrictEqual([limited.items.length, limited.more, limited.differing], [2, true, 0])
        const { since, until } = limited.period
        const seen: Array<string> = []
        let cursor: string | null = null
        do {
          const page: Effect.Success<ReturnType<typeof simulateRule>> = yield* simulateRule(
            "acme",
            ruleSimulation({ ruleId: "rule", since, until }),
            { limit: 2, cursor }
          )
          assert.strictEqual(page.simulated.ran, 3)
          seen.push(...page.items.map(({ cause }) => cause.contactId))
          cursor = page.nextCursor
        } while (cursor !== null)
        assert.deepStrictEqual(
          seen,
          [0, 1, 2].map((contact) => past.idsOf(contact).contactId)
        )
        const messages = yield* Effect.flip(
          simulate("acme", { rule: ruleWith({ trigger: { type: "message_received" } }) })
        )
        assert.strictEqual(messages._tag, "SimulationInvalid")
        const both = yield* Effect.flip(simulate("acme", { ruleId: "rule", rule: ruleWith({}) }))
        assert.strictEqual(both._tag, "SimulationInvalid")
        yield* inTenant("other").open()
        assert.strictEqual((yield* Effect.flip(simulate("other", { ruleId: "rule" })))._tag, "RuleNotFound")
        const foreign = yield* simulate("other", { rule: ruleWith({}) })
        assert.strictEqual(foreign.items.length, 0)
      })
    )
  })
}
