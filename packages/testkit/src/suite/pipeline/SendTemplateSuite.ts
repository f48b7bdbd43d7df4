import { assert, describe } from "@effect/vitest"
import type { Action, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { createMacro } from "@leadloom/core/internal/workflow/macro/Macros"
import { tagContact } from "@leadloom/core/internal/workflow/contact/TagContact"
import { createCannedReply, updateCannedReply } from "@leadloom/core/internal/workflow/reply/CannedReplies"
import { listEnrolments } from "@leadloom/core/internal/workflow/sequence/Enrolments"
import { workDueEnrolments } from "@leadloom/core/internal/workflow/sequence/RunStep"
import { deleteSequence, listSequences, readSequence } from "@leadloom/core/internal/workflow/sequence/Sequences"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { answer, begin, chase, everything, listed, setRules, work } from "./TriggerWorld.ts"
import { acme, drainSends, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { outcomes } from "../sequence/SequenceWorld.ts"

const send: Action = {
  type: "send_template",
  channel: "email",
  subject: "Your quote",
  body: "Hi {{ contact.first_name }}"
}

const rule = (trigger: Rule["trigger"], ...actions: readonly [Action, ...ReadonlyArray<Action>]): Rule => ({
  id: "send",
  name: "Send",
  priority: 1,
  when: everything,
  actions,
  ...(trigger !== undefined && { trigger })
})

const tagged = { type: "tag_added", tag: "quoted" } as const

/** Runs due rules and their messages. */
const workAll = Effect.gen(function* () {
  yield* work
  yield* workDueEnrolments()
  yield* drainSends
})

const enrolments = Effect.map(
  listEnrolments("acme", { sequenceId: null, contactId: null, state: null }, { limit: 10, cursor: null }),
  ({ items }) => items
)

const newestOutcome = Effect.map(listed(), ([run]) =>
  present(run).actions.map(({ outcome, reason }) => `${outcome}: ${reason}`)
)

/** Tests messages of rules with other triggers than messages, on a store. */
export const sendTemplateSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`a message of a rule on ${name}`, () => {
    scene("is sent once per cause, and is no cause of itself", ({ mail }) =>
      Effect.gen(function* () {
        yield* begin([{ ...chase, actions: [send] }])
        const before = mail.outbox.length
        yield* TestClock.adjust("2 hours")
        yield* Effect.all([workAll, workAll, workAll], { concurrency: 3 })
        yield* workAll
        assert.deepStrictEqual(
          mail.outbox.slice(before).map(({ subject, text, to }) => [subject, text, to[0]?.email]),
          [["Your quote", "Hi Jo", "jo@customer.example"]]
        )
        const [enrolment] = yield* enrolments
        assert.deepStrictEqual(
          [present(enrolment).enrolledBy, outcomes(present(enrolment))],
          ["rule:chase", ["send sent"]]
        )
        yield* TestClock.adjust("2 days")
        yield* workAll
        assert.deepStrictEqual(yield* newestOutcome, [
          "skipped: the contact has not written since its last enrolment in the sequence"
        ])
        assert.strictEqual(mail.outbox.length, before + 1)
        // The sequence belongs to the rule.
        const { sequenceId } = present(enrolment)
        assert.strictEqual((yield* readSequence("acme", sequenceId)).ruleId, "chase")
        assert.deepStrictEqual((yield* listSequences("acme", { limit: 10, cursor: null })).items, [])
        assert.strictEqual((yield* Effect.flip(deleteSequence("acme", sequenceId)))._tag, "SequenceNotFound")
      })
    )

    scene("has the present text of a canned reply, and is sent for each cause within the daily limit", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([])
        const fields = {
          folder: null,
          shortcut: null,
          subject: "Offer",
          name: "Offer",
          channels: [],
          body: "Offer for {{ contact.first_name }}"
        }
        const { cannedReplyId } = yield* createCannedReply("acme", fields)
        yield* setRules(rule(tagged, { type: "send_template", channel: "email", canned_reply: cannedReplyId }))
        const before = mail.outbox.length
        const cause = Effect.gen(function* () {
          yield* tagContact("acme", contactId, ["quoted"])
          yield* workAll
          yield* updateContact("acme", contactId, { tags: [] })
        })
        yield* cause
        yield* updateCannedReply("acme", cannedReplyId, { body: "New offer" })
        yield* TestClock.adjust("1 hour")
        yield* cause
        assert.strictEqual(mail.outbox.length, before + 1)
        yield* TestClock.adjust("1 day")
        yield* workAll
        assert.deepStrictEqual(
          mail.outbox.slice(before).map(({ subject, text }) => [subject, text]),
          [
            ["Offer", "Offer for Jo"],
            ["Offer", "New offer"]
          ]
        )
        const all = yield* enrolments
        assert.deepStrictEqual(
          all.map(({ version }) => version),
          [1, 2]
        )
      })
    )

    scene("is not sent after the contact has written, or after the rule was disabled", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([rule(tagged, send)])
        const before = mail.outbox.length
        yield* tagContact("acme", contactId, ["quoted"])
        yield* work
        yield* TestClock.adjust("1 minute")
        yield* acme.receiveMail({ id: "yes@x.example", body: "Yes, please." })
        yield* workAll
        yield* updateContact("acme", contactId, { tags: [] })
        yield* TestClock.adjust("1 minute")
        yield* tagContact("acme", contactId, ["quoted"])
        yield* work
        yield* setRules({ ...rule(tagged, send), enabled: false })
        yield* workAll
        assert.deepStrictEqual(
          (yield* enrolments).map(({ stopReason }) => stopReason),
          ["replied", "rule_disabled"]
        )
        assert.strictEqual(mail.outbox.length, before)
        yield* answer
      })
    )

    scene("is rejected in rules that react to messages, twice, in macros, and with an unknown variable", () =>
      Effect.gen(function* () {
        yield* begin([])
        const pathsOf = (...actions: readonly [Action, ...ReadonlyArray<Action>]) =>
          Effect.map(Effect.flip(setRules(rule(tagged, ...actions))), (error) =>
            error._tag === "ConfigInvalid" ? error.issues.map(({ path }) => path) : [error._tag]
          )
        assert.deepStrictEqual(yield* pathsOf(send, send), ["rules.0.actions.1.type"])
        assert.deepStrictEqual(yield* pathsOf({ type: "send_template", channel: "email" }), ["rules.0.actions.0.body"])
        assert.deepStrictEqual(yield* pathsOf({ ...send, body: "{{ contact.nothing }}" }), ["rules.0.actions.0.body"])
        const onMessages = yield* Effect.flip(setRules(rule(undefined, send)))
        assert.include(JSON.stringify(onMessages), "cannot have it. Use reply.")
        const macro = yield* Effect.flip(createMacro("acme", { name: "Send", actions: [send] }))
        assert.strictEqual(macro._tag, "MacroInvalid")
      })
    )
  })
}
