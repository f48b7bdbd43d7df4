import { assert, describe } from "@effect/vitest"
import { PublicUrl } from "@leadloom/core/internal/domain/consent/UnsubscribeLink"
import { linkScanMillis } from "@leadloom/core/internal/domain/link/TrackedLink"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { tagContact } from "@leadloom/core/internal/workflow/contact/TagContact"
import { readPipelines } from "@leadloom/core/internal/workflow/deal/LeadPlaces"
import { createField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { findLink, recordOpen } from "@leadloom/core/internal/workflow/link/OpenLink"
import { transitionLead } from "@leadloom/core/internal/workflow/lead/TransitionLead"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { updateLead } from "@leadloom/core/internal/workflow/lead/UpdateLead"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { present, scenesOn } from "../Scene.ts"
import { email, fields, now, open, work as workSteps } from "../sequence/SequenceWorld.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { passRules, saveRules, simulate, storedJson, timedIds } from "./PastRuleWorld.ts"

const hour = 3_600_000
const day = 24 * hour

const prices = "https://shop.example/prices"
const faq = "https://shop.example/faq"
const body = `<p><a href="${prices}">Prices</a> <a href="${faq}">FAQ</a></p>`

const ruleOn = (id: string, trigger: NonNullable<Rule["trigger"]>): Rule => ({
  id,
  name: `Rule ${id}`,
  priority: 1,
  trigger,
  when: { all: [] },
  actions: [{ type: "add_note", body: id }]
})

/** Simulates a stored rule, compares the simulation with the real runs, and returns the values that the runs are about. */
const compared = Effect.fnUntraced(function* (ruleId: string) {
  const { differing, items } = yield* simulate("acme", { ruleId })
  assert.deepStrictEqual(
    items.map(({ simulated }) => storedJson(simulated)),
    items.map(({ actual }) => storedJson(actual)),
    ruleId
  )
  assert.strictEqual(differing, 0, ruleId)
  return items.map(({ cause, simulated }) => `${String(cause.change?.to ?? cause.change?.from)} ${simulated?.state}`)
})

/** Opens the links of a sent mail, in their order. */
const openLinks = (html: string | null | undefined) =>
  Effect.forEach(
    [...(html ?? "").matchAll(/links\/([^"]+)"/gu)],
    ([, token = ""]) => Effect.flatMap(findLink(token), recordOpen),
    { discard: true }
  )

/** Tests that simulations find the causes to which a rule would have reacted, on a store. */
export const causeSimulationSuite = (name: string, store: StoreLayer): void => {
  const scenes = scenesOn(store)
  const scene: typeof scenes = (title, run) => scenes(title, (world) => Effect.provide(run(world), timedIds()))

  describe(`the causes of a simulated rule on ${name}`, () => {
    scene("are the first openings of links, of one sequence and with the beginning of the URL", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({ linkTracking: true, replyMode: "off", maxSequenceMessagesPerDay: 100 }, "UTC")
        const enrolment = yield* enrol(fields(email("hello", now, { body })))
        yield* workSteps
        yield* TestClock.adjust(linkScanMillis)
        yield* saveRules(
          "acme",
          ruleOn("any", { type: "link_opened" }),
          ruleOn("late", { type: "link_opened", url_prefix: faq, after_minutes: 60 }),
          ruleOn("other", { type: "link_opened", sequence: "seq_00000000000000000000000001" })
        )
        yield* passRules("acme", hour)
        const openedAt = yield* Clock.currentTimeMillis
        yield* openLinks(mail.outbox[0]?.html)
        yield* passRules("acme", day)
        yield* openLinks(mail.outbox[0]?.html)
        yield* passRules("acme", day)
        assert.deepStrictEqual(yield* compared("any"), [`${prices} ran`, `${faq} ran`])
        assert.deepStrictEqual(yield* compared("late"), [`${faq} ran`])
        assert.deepStrictEqual(yield* compared("other"), [])
        const { items } = yield* simulate("acme", { ruleId: "late" })
        assert.strictEqual(items[0]?.simulated?.updatedAt, openedAt + hour)
        assert.strictEqual(items[0]?.simulated?.contactId, enrolment.contactId)
        const draft = ruleOn("draft", {
          type: "link_opened",
          sequence: enrolment.sequenceId,
          url_prefix: prices
        })
        const drafted = yield* simulate("acme", { rule: draft })
        assert.deepStrictEqual(
          drafted.items.map(({ cause, simulated }) => [cause.change?.to, simulated?.state]),
          [[prices, "ran"]]
        )
        const before = yield* simulate("acme", { rule: draft, until: openedAt })
        const after = yield* simulate("acme", { rule: draft, since: openedAt + 1 })
        assert.deepStrictEqual([before.items.length, after.items.length], [0, 0])
      }).pipe(Effect.provideService(PublicUrl, "https://leads.example"))
    )

    scene("are the changes of tags, fields and leads that the trigger names", () =>
      Effect.gen(function* () {
        const { contactId, leadId } = yield* open({ replyMode: "off" }, "UTC")
        yield* createField("acme", { key: "plan", label: "Plan", type: "text" })
        yield* createField("acme", { key: "size", label: "Size", type: "text" })
        yield* createField("acme", { key: "plan", label: "Plan", type: "text", entity: "lead" })
        const { stages } = present((yield* readPipelines("acme"))[0])
        const stageOf = (state: string) => present(stages.find((stage) => stage.state === state)).stageId
        const engaged = stageOf("engaged")
        yield* saveRules(
          "acme",
          ruleOn("added", { type: "tag_added", tag: "vip" }),
          ruleOn("removed", { type: "tag_removed", tag: "vip" }),
          ruleOn("removed later", { type: "tag_removed", tag: "vip", after_minutes: 90 }),
          ruleOn("field", { type: "field_changed", field: "plan" }),
          ruleOn("lead field", { type: "field_changed", field: "plan", entity: "lead" }),
          ruleOn("entered", { type: "lead_stage_changed", to: engaged }),
          ruleOn("left", { type: "lead_stage_changed", from: engaged, to: stageOf("qualified") }),
          ruleOn("left later", { type: "lead_stage_changed", from: engaged, after_minutes: 600 }),
          ruleOn("state", { type: "lead_state_changed", from: "engaged" })
        )
        yield* passRules("acme", hour)
        yield* tagContact("acme", contactId, ["vip", "other"])
        yield* passRules("acme", hour)
        yield* updateContact("acme", contactId, { tags: ["other"] })
        yield* passRules("acme", hour)
        yield* updateContact("acme", contactId, { customFields: { size: "small" } })
        yield* updateContact("acme", contactId, { customFields: { plan: "gold" } })
        yield* passRules("acme", hour)
        yield* updateLead("acme", leadId, { customFields: { plan: "silver" } })
        yield* passRules("acme", hour)
        yield* transitionLead("acme", leadId, "engaged", null)
        yield* passRules("acme", hour)
        yield* transitionLead("acme", leadId, "qualified", null)
        yield* passRules("acme", hour)
        // The tag comes back before the later rule is due.
        yield* updateContact("acme", contactId, { tags: ["other", "vip"] })
        yield* updateContact("acme", contactId, { tags: ["other"] })
        yield* passRules("acme", hour)
        yield* updateContact("acme", contactId, { tags: ["vip"] })
        yield* transitionLead("acme", leadId, "archived", null)
        yield* passRules("acme", day)
        const found = yield* Effect.forEach(
          ["added", "removed", "field", "lead field", "entered", "left", "state"],
          (id) => Effect.map(compared(id), (values) => [id, values] as const)
        )
        assert.deepStrictEqual(Object.fromEntries(found), {
          added: ["vip ran", "vip prevented", "vip ran"],
          removed: ["vip ran", "vip ran"],
          field: ["gold ran"],
          "lead field": ["silver ran"],
          entered: [`${engaged} ran`],
          left: [`${stageOf("qualified")} ran`],
          state: ["qualified ran"]
        })
        assert.deepStrictEqual(yield* compared("removed later"), ["vip ran", "vip prevented"])
        assert.deepStrictEqual(yield* compared("left later"), [`${stageOf("qualified")} prevented`])
      })
    )
  })
}
