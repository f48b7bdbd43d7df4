import { assert, describe } from "@effect/vitest"
import type { Action, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import type { SequenceFields } from "@leadloom/core/internal/domain/sequence/Sequence"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { ActingUser } from "@leadloom/core/internal/workflow/ActingUser"
import { recordConsent } from "@leadloom/core/internal/workflow/consent/RecordConsent"
import { identitiesOfRecord } from "@leadloom/core/internal/workflow/contact/ReadIdentities"
import { createMacro } from "@leadloom/core/internal/workflow/macro/Macros"
import { runMacro } from "@leadloom/core/internal/workflow/macro/RunMacro"
import { dryRun } from "@leadloom/core/internal/workflow/pipeline/DryRun"
import { runBacktest } from "@leadloom/core/internal/workflow/pipeline/RunBacktest"
import { enrolContact } from "@leadloom/core/internal/workflow/sequence/EnrolContact"
import { listEnrolments } from "@leadloom/core/internal/workflow/sequence/Enrolments"
import { createSequence, deleteSequence } from "@leadloom/core/internal/workflow/sequence/Sequences"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { createUser } from "@leadloom/core/internal/workflow/user/Users"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainSignals, present, request, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { days, email, fields, now, open, outcomes, read, work } from "./SequenceWorld.ts"

const tenant = Effect.flatMap(Tenants, (tenants) => tenants.get("acme"))

const ruleOf = (...actions: readonly [Action, ...ReadonlyArray<Action>]): Rule => ({
  id: "rule_start",
  name: "Start",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "price" },
  actions
})

/** Replaces the rules of the tenant by one with these actions. */
const useRule = Effect.fnUntraced(function* (...actions: readonly [Action, ...ReadonlyArray<Action>]) {
  return yield* saveConfig("acme", { ...(yield* tenant).config, rules: [ruleOf(...actions)] })
})

const start = (sequence: string): Action => ({ type: "start_sequence", sequence })

/** Creates a sequence of two mails. */
const create = (changes: Partial<SequenceFields> = {}) =>
  Effect.map(
    createSequence("acme", { ...fields(email("hello", now), email("reminder", days(1))), ...changes }),
    ({ sequenceId }) => sequenceId
  )

/** Returns all enrolments of a contact, oldest first. */
const enrolmentsOf = (contactId: string) =>
  Effect.map(
    listEnrolments("acme", { sequenceId: null, contactId, state: null }, { limit: 100, cursor: null }),
    ({ items }) => items
  )

const outcomesOf = (
  run: { readonly actions: ReadonlyArray<{ type: string; outcome: string; reason: string }> } | null
) => present(run).actions.map(({ outcome, reason, type }) => `${type} ${outcome}: ${reason}`)

/** Returns a mail that the rule matches. A mail with the same content would be a duplicate. */
const question = (id = "one") => ({
  id: `${id}@customer.example`,
  subject: `Question ${id}`,
  body: `What is the price of ${id}?`
})

/** Tests the actions of rules and macros about sequences, on a store. */
export const sequenceRuleSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "texts")

  describe(`actions about sequences on ${name}`, () => {
    scene("enrol the sender with the place of the lead after all actions", ({ mail }) =>
      Effect.gen(function* () {
        yield* open({}, "UTC")
        const sequenceId = yield* create({ stopOn: ["stage_changed"] })
        yield* useRule(start(sequenceId), { type: "transition", state: "engaged" })
        const { contactId, leadId, run } = yield* acme.handleMail(question())
        const [enrolment, ...others] = yield* enrolmentsOf(contactId)
        const { enrolmentId, ...fieldsOfRule } = present(enrolment)
        assert.deepStrictEqual(outcomesOf(run), [
          `start_sequence done: ${enrolmentId} in Quotes`,
          "transition done: open to engaged"
        ])
        assert.deepStrictEqual(others, [])
        assert.deepInclude(fieldsOfRule, { leadId, enrolledBy: "rule:rule_start", enrolledByUser: null })
        yield* work
        assert.strictEqual(mail.outbox.length, 1)
        assert.deepStrictEqual(outcomes(yield* read({ enrolmentId })), ["hello sent"])
        assert.include(yield* acme.eventTypes(), "sequence.enrolled")
      })
    )

    scene("count replies from the message of the rule, whatever the clocks of the servers show", ({ mail }) =>
      Effect.gen(function* () {
        yield* open({}, "UTC")
        const [sequenceId, other] = [yield* create(), yield* create()]
        const { contactId, messageId } = yield* acme.handleMail(question())
        const { receivedAt } = yield* acme.messageOf(messageId)
        // The server that enrols is one hour behind the one that accepted the message.
        yield* TestClock.setTime(receivedAt - 3_600_000)
        const of = { tenantId: "acme", contactId, leadId: null, enrolledBy: "rule:rule_start" }
        const { enrolment } = yield* enrolContact({ ...of, sequenceId, cause: { receivedAt } })
        yield* work
        assert.deepStrictEqual(outcomes(yield* read(enrolment)), ["hello sent"])
        assert.deepStrictEqual(
          mail.outbox.map(({ subject }) => subject),
          ["hello"]
        )
        // The server that enrols is ahead, and a second message gets a time before the enrolment.
        yield* TestClock.setTime(receivedAt + 3_600_000)
        const ahead = yield* enrolContact({ ...of, sequenceId: other, cause: { receivedAt } })
        yield* TestClock.setTime(receivedAt + 60_000)
        yield* acme.receiveMail({ id: "second@customer.example", body: "One more question" })
        yield* TestClock.setTime(receivedAt + 7_200_000)
        yield* work
        const stopped = yield* read(ahead.enrolment)
        assert.deepStrictEqual([stopped.state, stopped.stopReason, stopped.history], ["stopped", "replied", []])
      })
    )

    scene("leave the enrolment to the newest message if the contact writes again before the run", ({ mail }) =>
      Effect.gen(function* () {
        yield* open({}, "UTC")
        const sequenceId = yield* create()
        yield* useRule(start(sequenceId))
        yield* TestClock.adjust("1 minute")
        const first = yield* acme.receiveMail(question("earlier"))
        yield* TestClock.adjust("1 second")
        const second = yield* acme.receiveMail(question("second"))
        yield* TestClock.adjust("1 second")
        yield* drainSignals
        assert.deepStrictEqual(outcomesOf(yield* acme.runOf(first.signalId)), [
          "start_sequence skipped: the contact has written again since this message"
        ])
        const [enrolment, ...others] = yield* enrolmentsOf(present(second.contactId))
        assert.deepStrictEqual(outcomesOf(yield* acme.runOf(second.signalId)), [
          `start_sequence done: ${present(enrolment).enrolmentId} in Quotes`
        ])
        assert.deepStrictEqual(others, [])
        yield* work
        assert.strictEqual(mail.outbox.length, 1)
      })
    )

    scene("skip what cannot be enrolled or stopped, with the reason", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId } = yield* open({}, "UTC")
        const [sequenceId, deleted] = [yield* create(), yield* create()]
        yield* deleteSequence("acme", deleted)
        yield* useRule(
          { type: "stop_sequence" },
          { type: "stop_sequence", sequence: "nothing" },
          start("nothing"),
          start("seq_unknown"),
          start(deleted),
          start(sequenceId),
          start(sequenceId)
        )
        const { run } = yield* acme.handleMail(question("one"))
        const [enrolment] = yield* enrolmentsOf(contactId)
        const { enrolmentId } = present(enrolment)
        assert.deepStrictEqual(outcomesOf(run), [
          "stop_sequence skipped: the contact is in no sequence",
          "stop_sequence skipped: the sequence nothing does not exist",
          "start_sequence skipped: the sequence nothing does not exist",
          "start_sequence skipped: the sequence seq_unknown does not exist",
          `start_sequence skipped: the sequence ${deleted} does not exist`,
          `start_sequence done: ${enrolmentId} in Quotes`,
          `start_sequence skipped: the contact is already in the sequence Quotes with ${enrolmentId}`
        ])
        yield* useRule({ type: "stop_sequence" }, start(sequenceId))
        const contacts = yield* Contacts
        const [address] = yield* identitiesOfRecord(yield* contacts.get("acme", contactId))
        const consent = { source: "call", proof: "said so", recordedBy: "kim", isManager: true } as const
        const { identityId } = present(address)
        yield* recordConsent("acme", contactId, { ...consent, identityId, optedOut: true })
        const out = yield* acme.handleMail(question("two"))
        assert.deepStrictEqual(outcomesOf(out.run), [
          `stop_sequence done: stopped ${enrolmentId}`,
          "start_sequence skipped: the contact has opted out"
        ])
        yield* work
        assert.strictEqual(mail.outbox.length, 0)
      })
    )

    scene("stop one sequence or all of them, and permit another start", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId } = yield* open({}, "UTC")
        const [one, two] = [yield* create(), yield* create()]
        yield* useRule(start(one), start(two), { type: "stop_sequence", sequence: one })
        yield* acme.handleMail(question("one"))
        const states = Effect.map(enrolmentsOf(contactId), (all) =>
          all.map(({ sequenceId, state, stopReason }) => [sequenceId, state, stopReason])
        )
        const first = [one, "stopped", "by_rule"]
        assert.deepStrictEqual(yield* states, [first, [two, "active", null]])
        yield* useRule({ type: "stop_sequence" }, start(one))
        yield* acme.handleMail(question("two"))
        assert.deepStrictEqual(yield* states, [first, [two, "stopped", "by_rule"], [one, "active", null]])
        const types = yield* acme.eventTypes()
        assert.strictEqual(types.filter((type) => type === "sequence.stopped").length, 2)
        yield* work
        assert.strictEqual(mail.outbox.length, 1)
      })
    )

    scene("appear in dry runs and back-tests, which store nothing", () =>
      Effect.gen(function* () {
        const { contactId } = yield* open({}, "UTC")
        const sequenceId = yield* create()
        yield* acme.handleMail(question())
        const rules = [ruleOf(start(sequenceId), { type: "stop_sequence" })]
        const message = "What is the price?"
        const dry = yield* dryRun({ tenant: yield* tenant, request: { ...request, message }, rules })
        assert.deepStrictEqual(
          dry.result.actions.map(({ type }) => type),
          ["start_sequence", "stop_sequence"]
        )
        const test = { config: null, rules, guardrails: null, since: 0, limit: 1_000, examples: 2 }
        const report = yield* runBacktest("acme", test)
        assert.deepStrictEqual(
          report.actions.map(({ gained, type }) => [type, gained]),
          [
            ["start_sequence", 1],
            ["stop_sequence", 1]
          ]
        )
        assert.deepStrictEqual(yield* enrolmentsOf(contactId), [])
      })
    )

    scene("work in macros, for the acting person", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId } = yield* open({}, "UTC")
        const sequenceId = yield* create({ stopOn: ["stage_changed"] })
        const starting = yield* createMacro("acme", {
          name: "Start",
          actions: [start(sequenceId), { type: "transition", state: "engaged" }]
        })
        const stopping = yield* createMacro("acme", { name: "Stop", actions: [{ type: "stop_sequence" }] })
        const kim = yield* createUser("acme", { name: "Kim", email: "kim@acme.com" }, {})
        const run = Effect.fnUntraced(function* (macroId: string) {
          const ran = runMacro(yield* tenant, macroId, contactId)
          return outcomesOf(yield* Effect.provideService(ran, ActingUser, kim))
        })
        const started = yield* run(starting.macroId)
        const [enrolment] = yield* enrolmentsOf(contactId)
        const { enrolledBy, enrolledByUser, enrolmentId } = present(enrolment)
        assert.deepStrictEqual(started[0], `start_sequence done: ${enrolmentId} in Quotes`)
        assert.deepStrictEqual([enrolledBy, enrolledByUser], [`macro:${starting.macroId}`, kim.userId])
        yield* work
        // The newest message is older than the enrolment, and the transition of the macro is no change of stage.
        assert.strictEqual(mail.outbox.length, 1)
        assert.deepStrictEqual(yield* run(stopping.macroId), [`stop_sequence done: stopped ${enrolmentId}`])
        const { state, stopReason } = yield* read({ enrolmentId })
        assert.deepStrictEqual([state, stopReason], ["stopped", "by_person"])
      })
    )
  })
}
