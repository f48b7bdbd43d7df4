import { assert, describe } from "@effect/vitest"
import { PublicUrl } from "@leadloom/core/internal/domain/consent/UnsubscribeLink"
import { linkScanMillis } from "@leadloom/core/internal/domain/link/TrackedLink"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { Scores } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { tagContact } from "@leadloom/core/internal/workflow/contact/TagContact"
import { readPipelines } from "@leadloom/core/internal/workflow/deal/LeadPlaces"
import { updatePipeline } from "@leadloom/core/internal/workflow/deal/SalesPipelines"
import { createField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { findLink, recordOpen } from "@leadloom/core/internal/workflow/link/OpenLink"
import { moveLead } from "@leadloom/core/internal/workflow/lead/MoveLead"
import { scoreLead } from "@leadloom/core/internal/workflow/pipeline/ScoreLead"
import { transitionLead } from "@leadloom/core/internal/workflow/lead/TransitionLead"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { updateLead } from "@leadloom/core/internal/workflow/lead/UpdateLead"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, type MailText, present, scenesOn } from "../Scene.ts"
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

type Item = Effect.Success<ReturnType<typeof simulate>>["items"][number]

const outcomesOf = (items: ReadonlyArray<Item>) =>
  items.map(({ cause, simulated }) => `${String(cause.change?.to ?? cause.change?.from)} ${simulated?.state}`)

/**
 * Simulates a stored rule, compares the simulation with the real runs, and returns the values that the runs are about.
 * A copy that has no runs has the same causes, so they are found without the runs. `since` is the time at which the rule
 * was saved, if it would have had causes before.
 */
const compared = Effect.fnUntraced(function* (ruleId: string, since: number | null = null) {
  const { differing, items, rule } = yield* simulate("acme", { ruleId, since })
  assert.deepStrictEqual(
    items.map(({ simulated }) => storedJson(simulated)),
    items.map(({ actual }) => storedJson(actual)),
    ruleId
  )
  assert.strictEqual(differing, 0, ruleId)
  const copy = yield* simulate("acme", { rule: { ...rule, id: "copy" }, since })
  assert.deepStrictEqual(outcomesOf(copy.items), outcomesOf(items), ruleId)
  assert.strictEqual(copy.actual.causes, 0)
  return outcomesOf(items)
})

/** Opens the links of a sent mail, in their order. */
const openLinks = (html: string | null | undefined) =>
  Effect.forEach(
    [...(html ?? "").matchAll(/links\/([^"]+)"/gu)],
    ([, token = ""]) => Effect.flatMap(findLink(token), recordOpen),
    { discard: true }
  )

/** A contact writes a mail, by default in the thread of the first one, and its run scores the lead. An hour passes. */
const write = Effect.fnUntraced(function* (body: string, mail: MailText = { inReplyTo: "first@customer.example" }) {
  const at = (yield* Clock.currentTimeMillis) + 60_000
  const date = new Date(at).toUTCString().replace("GMT", "+0000")
  yield* acme.handleMail({ id: `${at}@customer.example`, date, body, ...mail })
  yield* passRules("acme", hour)
})

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

    scene("are the scores that rise to the value, and none that were above it before or that fall", () =>
      Effect.gen(function* () {
        const { leadId } = yield* open({ replyMode: "off" }, "UTC")
        yield* saveRules(
          "acme",
          ruleOn("any", { type: "score_reached", score: 1 }),
          ruleOn("sixty", { type: "score_reached", score: 60 }),
          ruleOn("above", { type: "score_reached", score: 61 }),
          ruleOn("later", { type: "score_reached", score: 60, after_minutes: 90 })
        )
        const since = yield* Clock.currentTimeMillis
        yield* passRules("acme", hour)
        const [asks, buys] = ["What does it cost?", "We want to buy it today. What does it cost?"]
        yield* write(asks)
        yield* write(buys)
        // The same score again is no change.
        yield* scoreLead(yield* (yield* Tenants).get("acme"), leadId)
        yield* write("Hello again, my friends")
        yield* write(buys)
        yield* write("Not interested.")
        // The first score of a lead rises from none.
        yield* write(asks, { from: "Ann <ann@customer.example>" })
        yield* passRules("acme", day)
        const scores = (yield* (yield* Scores).ofLead("acme", leadId, 10, null)).map(({ score }) => score)
        assert.deepStrictEqual(scores.toReversed(), [50, 60, 95, 95, 40, 95, 0])
        const found = yield* Effect.forEach(["any", "sixty", "above", "later"], (id) =>
          Effect.map(compared(id, since), (values) => [id, values] as const)
        )
        assert.deepStrictEqual(Object.fromEntries(found), {
          any: ["50 ran"],
          sixty: ["60 ran", "95 ran"],
          above: ["95 ran", "95 ran"],
          later: ["60 ran", "95 prevented"]
        })
      })
    )

    scene("are all changes to a state, of which the newest prevents the older ones that still wait", () =>
      Effect.gen(function* () {
        const { leadId } = yield* open({ replyMode: "off" }, "UTC")
        yield* saveRules("acme", ruleOn("stays", { type: "lead_state_changed", to: "open", after_minutes: 90 }))
        const since = yield* Clock.currentTimeMillis
        yield* passRules("acme", hour)
        for (const [state, hours] of [
          ["archived", 1],
          ["open", 1],
          ["archived", 3],
          ["open", 1],
          ["archived", 0.1],
          ["open", 3],
          ["archived", 1],
          ["open", 3]
        ] as const) {
          yield* transitionLead("acme", leadId, state, null)
          yield* passRules("acme", hours * hour)
        }
        assert.deepStrictEqual(yield* compared("stays", since), [
          "open prevented",
          "open prevented",
          "open ran",
          "open ran"
        ])
        const { items } = yield* simulate("acme", { ruleId: "stays", since })
        assert.deepStrictEqual(
          items.map(({ simulated }) => simulated?.reason),
          ["the lead is archived", "the rule has a newer change of the lead", "always", "always"]
        )
      })
    )

    scene("are no changes that rules with triggers have made", () =>
      Effect.gen(function* () {
        const { contactId } = yield* open({ replyMode: "off" }, "UTC")
        yield* saveRules(
          "acme",
          {
            ...ruleOn("first", { type: "tag_added", tag: "vip" }),
            actions: [
              { type: "tag", tag: "hot" },
              { type: "transition", state: "engaged" }
            ]
          },
          ruleOn("tagged", { type: "tag_added", tag: "hot" }),
          ruleOn("engaged", { type: "lead_state_changed", to: "engaged" })
        )
        yield* tagContact("acme", contactId, ["vip"])
        yield* passRules("acme", hour)
        assert.deepStrictEqual((yield* acme.contactOf(contactId)).tags, ["vip", "hot"])
        assert.deepStrictEqual(yield* compared("first"), ["vip ran"])
        assert.deepStrictEqual([yield* compared("tagged"), yield* compared("engaged")], [[], []])
      })
    )

    scene("are no moves of leads into a stage that was removed since", () =>
      Effect.gen(function* () {
        const { leadId } = yield* open({ replyMode: "off" }, "UTC")
        const since = yield* Clock.currentTimeMillis
        const { pipelineId, stages } = present((yield* readPipelines("acme"))[0])
        const added = { stageId: null, name: "Visited", state: "open" } as const
        const changed = yield* updatePipeline("acme", pipelineId, { stages: [...stages, added], moves: [] })
        const { stageId } = present(changed.stages.find(({ name: title }) => title === added.name))
        yield* passRules("acme", hour)
        yield* moveLead("acme", leadId, stageId, null, null)
        yield* passRules("acme", hour)
        const rule = ruleOn("moved", { type: "lead_stage_changed" })
        assert.deepStrictEqual(outcomesOf((yield* simulate("acme", { rule, since })).items), [`${stageId} ran`])
        yield* updatePipeline("acme", pipelineId, { stages, moves: [{ from: stageId, to: "stg_open" }] })
        yield* passRules("acme", hour)
        assert.deepStrictEqual(outcomesOf((yield* simulate("acme", { rule, since })).items), [])
      })
    )
  })
}
