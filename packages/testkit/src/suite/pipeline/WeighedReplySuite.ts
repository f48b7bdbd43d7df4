import { acme, scenesOn, type Services } from "../Scene.ts"
import { assert, describe } from "@effect/vitest"
import { workDueSends } from "@leadloom/core/internal/workflow/sending/WorkSends"
import type { Guardrail } from "@leadloom/core/internal/domain/guardrail/Guardrail"
import { GuardEvaluations } from "@leadloom/core/internal/port/repository/pipeline/GuardEvaluations"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { StoreLayer } from "../StoreLayer.ts"
import { replayedRunOf, step } from "./ModelWorld.ts"

const blockPrices: Guardrail = { id: "g_prices", kind: "no_prices", outcome: "block" }

/** Tests the checks of generated replies in the pipeline on a store. */
export const weighedReplySuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "model")

  describe(`a reply on ${name}`, () => {
    describe("of a language model", () => {
      scene(
        "is checked, and a blocked text is stored with the run and shown to no person",
        ({ mail: { outbox }, model: script }) =>
          Effect.gen(function* () {
            yield* acme.open({ replyMode: "auto", guardrails: [blockPrices] })
            yield* acme.connectMail()
            script.write = () => Effect.succeed("That will be $12,000.")
            const { contactId, signalId } = yield* acme.receiveMail()
            yield* workDueSignals()
            const run = yield* replayedRunOf(signalId)
            assert.deepStrictEqual([run.reply, yield* acme.draftOf(contactId), outbox], [null, null, []])
            assert.deepStrictEqual([run.written?.text, run.written?.outcome], ["That will be $12,000.", "block"])
            const all = { guardrailId: null, outcome: null, contactId: null }
            const [audited] = yield* (yield* GuardEvaluations).page("acme", all, 10, null)
            assert.deepStrictEqual(
              [audited?.guardrailId, audited?.outcome, audited?.signalId],
              ["g_prices", "block", signalId]
            )
            assert.strictEqual(
              step(run, "guard"),
              "suppressed: guardrail g_prices blocks the reply: the reply names an amount of money"
            )
          })
      )

      scene(
        "needs approval in every mode if it contains an address of another party",
        ({ mail: { outbox }, model: script }) =>
          Effect.gen(function* () {
            yield* acme.open({ replyMode: "auto" })
            yield* acme.connectMail()
            script.write = () => Effect.succeed("Ann's address is ann@lee.example.")
            const { signalId } = yield* acme.receiveMail()
            yield* workDueSignals()
            const run = yield* replayedRunOf(signalId)
            assert.deepStrictEqual([run.reply?.requiresApproval, run.written?.outcome], [true, "require_approval"])
            assert.match(step(run, "guard"), /^done: a person approves: .*address/u)
            script.write = () => Effect.succeed("We come on Monday.")
            yield* TestClock.adjust("1 minute")
            yield* acme.receiveMail({ id: "2@x.example", subject: "Another roof" })
            yield* workDueSignals()
            yield* workDueSends()
            assert.deepStrictEqual(
              outbox.map(({ text }) => text),
              ["We come on Monday."]
            )
          })
      )

      scene("is counted with the assistant's other messages to the contact per day", () =>
        Effect.gen(function* () {
          const max: Guardrail = { id: "g_most", kind: "max_replies_per_contact_per_day", max: 1 }
          yield* acme.open({ replyMode: "auto", guardrails: [max] })
          yield* acme.connectMail()
          const again = Effect.fnUntraced(function* (number: number) {
            const claimed = yield* acme.receiveMail({ id: `${number}@x.example`, subject: `Roof ${number}` })
            yield* workDueSignals()
            yield* TestClock.adjust("1 minute")
            return (yield* replayedRunOf(claimed.signalId)).reply?.requiresApproval
          })
          assert.deepStrictEqual([yield* again(1), yield* again(2)], [false, true])
          yield* TestClock.adjust("1 day")
          assert.strictEqual(yield* again(3), false)
        })
      )

      scene("is not sent automatically while a person writes to the contact", ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          yield* acme.open({ replyMode: "auto", takeoverHours: 2 })
          yield* acme.connectMail()
          yield* acme.sendMail({ subject: "From a person", body: "Hello Jo" })
          outbox.length = 0
          yield* TestClock.adjust("1 hour")
          const first = yield* acme.receiveMail()
          yield* workDueSignals()
          const held = yield* replayedRunOf(first.signalId)
          assert.strictEqual(
            step(held, "guard"),
            "done: a person approves: a person has written to the contact within 2 hours"
          )
          assert.deepStrictEqual([held.reply?.requiresApproval, outbox], [true, []])
          yield* TestClock.adjust("1 hour")
          const second = yield* acme.receiveMail({ id: "2@x.example", subject: "Another roof" })
          yield* workDueSignals()
          assert.strictEqual((yield* replayedRunOf(second.signalId)).reply?.requiresApproval, false)
        })
      )

      scene("waits for further messages of the contact, and answers all of them with one reply", ({ model: script }) =>
        Effect.gen(function* () {
          yield* acme.open({ replyWaitSeconds: 120 })
          const first = yield* acme.receiveMail()
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(yield* workDueSignals(), 0)
          const second = yield* acme.receiveMail({
            id: "2@x.example",
            inReplyTo: "first@customer.example",
            body: "And a gutter?"
          })
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(yield* workDueSignals(), 1)
          assert.include(step(yield* replayedRunOf(first.signalId), "reply"), "has sent a newer message")
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(yield* workDueSignals(), 1)
          assert.isNotNull((yield* replayedRunOf(second.signalId)).reply)
          assert.deepStrictEqual(
            script.replies.map(({ conversation }) => conversation.length),
            [2]
          )
          const { result } = yield* acme.handleRequest()
          assert.isNotNull(result.reply)
        })
      )

      scene("answers the current state if a new message of the contact arrives during the run", ({ model: script }) =>
        Effect.gen(function* () {
          yield* acme.open()
          const meanwhile = acme.receiveMail({
            id: "2@x.example",
            inReplyTo: "first@customer.example",
            body: "And a gutter?"
          })
          const context = yield* Effect.context<Services>()
          script.write = () =>
            script.replies.length === 1
              ? meanwhile.pipe(Effect.provide(context), Effect.orDie, Effect.as("About the roof only."))
              : Effect.succeed("About roof and gutter.")
          const first = yield* acme.receiveMail()
          yield* TestClock.adjust("1 minute")
          yield* workDueSignals()
          assert.include(step(yield* replayedRunOf(first.signalId), "reply"), "has sent a newer message")
          yield* workDueSignals()
          assert.strictEqual((yield* acme.draftOf(first.contactId))?.text, "About roof and gutter.")
        })
      )
    })
  })
}
