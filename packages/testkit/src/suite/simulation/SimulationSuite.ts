import { assert, describe } from "@effect/vitest"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { allContacts } from "@leadloom/core/internal/domain/contact/ContactFilter"
import { isHeldOut } from "@leadloom/core/internal/domain/sequence/Holdout"
import { maxSendsPerHour } from "@leadloom/core/internal/domain/sending/SendLimit"
import { Segments } from "@leadloom/core/internal/port/repository/contact/Segments"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { createSegment } from "@leadloom/core/internal/workflow/segment/ChangeSegments"
import { simulateSequence } from "@leadloom/core/internal/workflow/simulation/SimulateSequence"
import { enrolContact } from "@leadloom/core/internal/workflow/sequence/EnrolContact"
import { pauseSequence } from "@leadloom/core/internal/workflow/sequence/PauseSequence"
import { sequenceOfRule } from "@leadloom/core/internal/workflow/sequence/RuleSequence"
import { pauseEnrolment, skipStep, stopEnrolment } from "@leadloom/core/internal/workflow/sequence/Enrolments"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { setRules } from "../pipeline/TriggerWorld.ts"
import { Clock, Effect } from "effect"
import { acme, inTenant, present, scenesOn } from "../Scene.ts"
import { days, email, now } from "../sequence/SequenceWorld.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { courseOf, everything, makePast, onePage, pass } from "./PastWorld.ts"

const day = 86_400_000

/** A tenant in UTC with contacts whose mails have arrived. */
const begin = Effect.fnUntraced(function* (contacts: number, rules: ReadonlyArray<Rule> = []) {
  yield* acme.open({ timeZone: "UTC", maxSequenceMessagesPerDay: 1, rules })
  yield* acme.connectMail()
  const past = yield* makePast("acme", contacts)
  yield* pass("acme", 60_000)
  return past
})

const withoutMessage = <Entry extends { readonly messageId: unknown }>(entry: Entry) => ({ ...entry, messageId: null })

const outcomes = (enrolment: Parameters<typeof courseOf>[0]) =>
  (enrolment?.history ?? []).map(({ outcome, step }) => `${step} ${outcome}`)

/** Tests simulations of sequences on a store. */
export const simulationSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`a simulation of a sequence on ${name}`, () => {
    scene("shows proposed steps next to the real ones, and stores and sends nothing", ({ mail }) =>
      Effect.gen(function* () {
        const past = yield* begin(2)
        const sequenceId = yield* past.sequence([email("hello", now), email("reminder", days(2))])
        yield* past.enrol(0, sequenceId)
        yield* past.enrol(1, sequenceId)
        yield* pass("acme", day)
        yield* past.reply(1)
        yield* pass("acme", 9 * day)
        const stored = (yield* (yield* Events).after("acme", 0, 1_000)).length
        const steps = [
          email("hello", now),
          email("sooner", { amount: 12, unit: "hours" }),
          email("later", days(3))
        ] as const
        const { actual, differing, items, simulated, version } = yield* past.simulate(sequenceId, { steps })
        assert.deepStrictEqual(
          items.map((item) => [outcomes(item.simulated), item.simulated?.stopReason, outcomes(item.actual)]),
          [
            [["hello sent", "sooner sent", "later sent"], null, ["hello sent", "reminder sent"]],
            // The second message would have left before the answer; the third one would not have left at all.
            [["hello sent", "sooner sent"], "replied", ["hello sent"]]
          ]
        )
        assert.deepStrictEqual([differing, simulated.sent, actual.sent, version], [2, 5, 3, 1])
        assert.deepStrictEqual([simulated.stops, actual.stops], [{ replied: 1 }, { replied: 1 }])
        assert.strictEqual(mail.outbox.length, 3)
        assert.strictEqual((yield* (yield* Events).after("acme", 0, 1_000)).length, stored)
      })
    )

    scene("knows replies, opt-outs, bounces and moves of leads only from their time on", () =>
      Effect.gen(function* () {
        const past = yield* begin(5)
        const steps = [
          email("one", now),
          email("two", days(1)),
          email("three", days(1)),
          email("four", days(1))
        ] as const
        const sequenceId = yield* past.sequence(steps, ["lead_closed"])
        for (const contact of [0, 1, 2, 3, 4]) yield* past.enrol(contact, sequenceId)
        yield* pass("acme", 1.5 * day)
        yield* past.reply(0)
        yield* past.consent(1, true)
        yield* past.bounce(2)
        yield* past.close(3)
        yield* pass("acme", 4 * day)
        const { items } = yield* past.simulate(sequenceId)
        assert.deepStrictEqual(
          items.map((item) => courseOf(item.simulated)),
          items.map((item) => courseOf(item.actual))
        )
        assert.deepStrictEqual(
          items.map((item) => [item.simulated?.stopReason, item.simulated?.history.length]),
          [
            ["replied", 2],
            ["opted_out", 2],
            ["bounced", 2],
            ["lead_closed", 2],
            [null, 4]
          ]
        )
      })
    )

    scene("shares the hourly limit among all contacts, and with the messages of people", () =>
      Effect.gen(function* () {
        const past = yield* begin(1)
        const sequenceId = yield* past.sequence([email("hello", now)])
        for (let index = 0; index < maxSendsPerHour - 7; index++) {
          const { contactId } = yield* createContact("acme", { email: `n${index}@customer.example`, name: null })
          yield* enrolContact({ tenantId: "acme", sequenceId, contactId, leadId: null, enrolledBy: "user:kim" })
        }
        yield* past.write(0)
        yield* pass("acme", day)
        const { actual, items, simulated } = yield* past.simulate(sequenceId)
        const delayed = items.filter((item) => outcomes(item.simulated)[0] === "hello delayed")
        assert.deepStrictEqual([delayed.length > 0, simulated], [true, actual])
        // Workers run steps of the same moment at once, so another contact may come first.
        const sorted = (courses: ReadonlyArray<ReturnType<typeof courseOf>>) =>
          courses
            .map((course) => JSON.stringify({ ...course, history: course?.history.map(withoutMessage) }))
            .toSorted()
        assert.deepStrictEqual(
          sorted(items.map((item) => courseOf(item.simulated))),
          sorted(items.map((item) => courseOf(item.actual)))
        )
      })
    )

    scene("repeats what people did, and ends at the end of the period", () =>
      Effect.gen(function* () {
        const past = yield* begin(3)
        const sequenceId = yield* past.sequence([email("hello", now), email("two", days(1)), email("three", days(1))])
        const ids: Array<string> = []
        for (const contact of [0, 1, 2]) ids.push((yield* past.enrol(contact, sequenceId)).enrolment.enrolmentId)
        const [skipped = "", stopped = "", paused = ""] = ids
        yield* pass("acme", day / 2)
        yield* skipStep("acme", skipped, "user:kim")
        yield* stopEnrolment("acme", stopped)
        yield* pauseEnrolment("acme", paused)
        const middle = yield* Clock.currentTimeMillis
        yield* pass("acme", 3 * day)
        const whole = yield* past.simulate(sequenceId)
        assert.deepStrictEqual(
          whole.items.map((item) => [courseOf(item.simulated), item.differs]),
          whole.items.map((item) => [courseOf(item.actual), false])
        )
        const half = yield* past.simulate(sequenceId, { until: middle - 1 })
        assert.deepStrictEqual(
          half.items.map((item) => [outcomes(item.simulated), item.simulated?.state, item.differs]),
          [1, 2, 3].map(() => [["hello sent"], "active" as const, false])
        )
      })
    )

    scene("enrols the members of a segment, or the senders of messages that a proposed rule matches", () =>
      Effect.gen(function* () {
        const past = yield* begin(3)
        const sequenceId = yield* past.sequence([email("hello", now), email("reminder", days(1))])
        const rule: Rule = {
          id: "rule_start",
          name: "Start",
          priority: 1,
          when: { fact: "message.text", op: "contains", value: "roof" },
          actions: [{ type: "start_sequence", sequence: sequenceId }]
        }
        yield* pass("acme", 60_000)
        yield* past.reply(0)
        yield* pass("acme", 60_000)
        yield* setRules(rule)
        const saved = yield* Clock.currentTimeMillis
        yield* past.reply(1)
        yield* pass("acme", 3 * day)
        yield* past.reply(1)
        yield* pass("acme", 3 * day)
        const real = yield* past.simulate(sequenceId, { ruleId: "rule_start", since: saved })
        assert.deepStrictEqual(
          real.items.map((item) => [courseOf(item.simulated), item.reason, item.differs]),
          real.items.map((item) => [courseOf(item.actual), null, false])
        )
        assert.deepStrictEqual([real.items.length, real.undecided], [2, 0])
        // The contact 0 has written again while it was in the sequence.
        const earlier = yield* past.simulate(sequenceId, { rule, until: saved })
        assert.deepStrictEqual(
          earlier.items.map((item) => [outcomes(item.simulated), item.reason, item.actual]),
          [
            [["hello sent"], null, null],
            [["hello sent"], null, null],
            [["hello sent"], null, null],
            [[], "the contact is already in the sequence", null]
          ]
        )
        const { segmentId } = yield* createSegment("acme", { name: "All", filters: allContacts })
        assert.strictEqual((yield* (yield* Segments).list("acme")).length, 1)
        const members = yield* past.simulate(sequenceId, { segmentId, since: saved })
        assert.deepStrictEqual([members.simulated.completed, members.actual.enrolled, members.items.length], [3, 2, 5])
      })
    )

    scene("keeps contacts out of the holdout group, ignores pauses, and refuses the sequence of a rule", () =>
      Effect.gen(function* () {
        const past = yield* begin(5)
        const sequenceId = yield* past.sequence([email("hello", now)], [], 50)
        yield* pass("acme", 60_000)
        yield* pauseSequence("acme", sequenceId, "user:kim")
        const { segmentId } = yield* createSegment("acme", { name: "All", filters: allContacts })
        yield* pass("acme", day)
        const { items, simulated } = yield* past.simulate(sequenceId, { segmentId })
        for (const { contactId, simulated: one } of items) {
          const isOut = isHeldOut({ tenantId: "acme", sequenceId, contactId, holdoutPercent: 50 })
          assert.deepStrictEqual([one?.state, outcomes(one)], isOut ? ["held_out", []] : ["completed", ["hello sent"]])
        }
        assert.deepStrictEqual([simulated.enrolled, simulated.heldOut + simulated.completed], [5, 5])
        const ofRule = sequenceOfRule("acme", "rule_1", { name: "Rule", steps: [email("send", now)], stopOn: [] })
        const ruled = present(yield* (yield* Transactions).atomically("acme", ofRule))
        const refused = yield* Effect.flip(past.simulate(ruled.sequenceId))
        assert.strictEqual(refused._tag, "SimulationInvalid")
      })
    )

    scene("is bounded, paged, and belongs to its tenant", () =>
      Effect.gen(function* () {
        const past = yield* begin(3)
        const sequenceId = yield* past.sequence([email("hello", now)])
        for (const contact of [0, 1, 2]) yield* past.enrol(contact, sequenceId)
        yield* pass("acme", day)
        const limited = yield* past.simulate(sequenceId, { limit: 2 })
        assert.deepStrictEqual([limited.items.length, limited.more], [2, true])
        const seen: Array<string> = []
        const { since, until } = limited.period
        let cursor: string | null = null
        do {
          const page: Effect.Success<ReturnType<typeof simulateSequence>> = yield* simulateSequence(
            "acme",
            sequenceId,
            { ...everything, since, until },
            { limit: 2, cursor }
          )
          assert.strictEqual(page.simulated.enrolled, 3)
          seen.push(...page.items.map(({ contactId }) => contactId))
          cursor = page.nextCursor
        } while (cursor !== null)
        assert.deepStrictEqual(
          seen,
          [0, 1, 2].map((contact) => past.idsOf(contact).contactId)
        )
        const time = yield* Clock.currentTimeMillis
        const wrong = yield* Effect.flip(past.simulate(sequenceId, { since: time - 91 * day, until: time + day }))
        const paths = wrong._tag === "SimulationInvalid" ? wrong.issues.map(({ path }) => path) : []
        assert.deepStrictEqual(paths, ["until", "since"])
        const both = yield* Effect.flip(past.simulate(sequenceId, { segmentId: "seg_1", ruleId: "rule_1" }))
        assert.strictEqual(both._tag, "SimulationInvalid")
        yield* inTenant("other").open()
        const foreign = yield* Effect.flip(simulateSequence("other", sequenceId, everything, onePage))
        assert.strictEqual(foreign._tag, "SequenceNotFound")
      })
    )
  })
}
