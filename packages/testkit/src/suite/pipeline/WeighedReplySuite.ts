import { assert, describe, layer } from "@effect/vitest"
import { workDueSends } from "@leadloom/core/workflow/sending/WorkSends"
import type { Guardrail } from "@leadloom/core/domain/guardrail/Guardrail"
import { handleRequest } from "@leadloom/core/workflow/pipeline/HandleRequest"
import { GuardEvaluations } from "@leadloom/core/port/repository/pipeline/GuardEvaluations"
import { workDueSignals } from "@leadloom/core/workflow/pipeline/WorkSignals"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import type { StoreLayer } from "../World.ts"
import { byPerson, connect, draftOf, modelWorld, request, runOf, step, receive } from "./ModelWorld.ts"

const blockPrices: Guardrail = { id: "g_prices", kind: "no_prices", outcome: "block" }

/** Tests the checks of generated replies in the pipeline on a store. All tests share the store. */
export const weighedReplySuite = (name: string, store: StoreLayer): void => {
  const { open, outbox, script, world } = modelWorld(store)

  describe(`a reply on ${name}`, () => {
    layer(world)("of a language model", (it) => {
      it.effect("is checked, and a blocked text is stored with the run and shown to no person", () =>
        Effect.gen(function* () {
          const tenant = yield* open({ replyMode: "auto", guardrails: [blockPrices] })
          yield* connect(tenant)
          script.write = () => Effect.succeed("That will be $12,000.")
          const { contactId, signalId } = yield* receive(tenant)
          yield* workDueSignals()
          const run = yield* runOf(tenant, signalId)
          assert.deepStrictEqual([run.reply, yield* draftOf(tenant, contactId), outbox], [null, null, []])
          assert.deepStrictEqual([run.written?.text, run.written?.outcome], ["That will be $12,000.", "block"])
          const all = { guardrailId: null, outcome: null, contactId: null }
          const [audited] = yield* (yield* GuardEvaluations).page(tenant.tenantId, all, 10, null)
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

      it.effect("needs approval in every mode if it contains an address of another party", () =>
        Effect.gen(function* () {
          const tenant = yield* open({ replyMode: "auto" })
          yield* connect(tenant)
          script.write = () => Effect.succeed("Ann's address is ann@lee.example.")
          const { signalId } = yield* receive(tenant)
          yield* workDueSignals()
          const run = yield* runOf(tenant, signalId)
          assert.deepStrictEqual([run.reply?.requiresApproval, run.written?.outcome], [true, "require_approval"])
          assert.match(step(run, "guard"), /^done: a person approves: .*address/u)
          script.write = () => Effect.succeed("We come on Monday.")
          yield* TestClock.adjust("1 minute")
          yield* receive(tenant, { id: "2@x.example", subject: "Another roof" })
          yield* workDueSignals()
          yield* workDueSends()
          assert.deepStrictEqual(
            outbox.map(({ text }) => text),
            ["We come on Monday."]
          )
        })
      )

      it.effect("is counted with the assistant's other messages to the contact per day", () =>
        Effect.gen(function* () {
          const max: Guardrail = { id: "g_most", kind: "max_replies_per_contact_per_day", max: 1 }
          const tenant = yield* open({ replyMode: "auto", guardrails: [max] })
          yield* connect(tenant)
          const again = Effect.fnUntraced(function* (number: number) {
            const claimed = yield* receive(tenant, { id: `${number}@x.example`, subject: `Roof ${number}` })
            yield* workDueSignals()
            yield* TestClock.adjust("1 minute")
            return (yield* runOf(tenant, claimed.signalId)).reply?.requiresApproval
          })
          assert.deepStrictEqual([yield* again(1), yield* again(2)], [false, true])
          yield* TestClock.adjust("1 day")
          assert.strictEqual(yield* again(3), false)
        })
      )

      it.effect("is not sent automatically while a person writes to the contact", () =>
        Effect.gen(function* () {
          const tenant = yield* open({ replyMode: "auto", takeoverHours: 2 })
          yield* connect(tenant)
          yield* byPerson(tenant)
          outbox.length = 0
          yield* TestClock.adjust("1 hour")
          const first = yield* receive(tenant)
          yield* workDueSignals()
          const held = yield* runOf(tenant, first.signalId)
          assert.strictEqual(
            step(held, "guard"),
            "done: a person approves: a person has written to the contact within 2 hours"
          )
          assert.deepStrictEqual([held.reply?.requiresApproval, outbox], [true, []])
          yield* TestClock.adjust("1 hour")
          const second = yield* receive(tenant, { id: "2@x.example", subject: "Another roof" })
          yield* workDueSignals()
          assert.strictEqual((yield* runOf(tenant, second.signalId)).reply?.requiresApproval, false)
        })
      )

      it.effect("waits for further messages of the contact, and answers all of them with one reply", () =>
        Effect.gen(function* () {
          const tenant = yield* open({ replyWaitSeconds: 120 })
          const first = yield* receive(tenant)
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(yield* workDueSignals(), 0)
          const second = yield* receive(tenant, {
            id: "2@x.example",
            inReplyTo: "first@customer.example",
            body: "And a gutter?"
          })
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(yield* workDueSignals(), 1)
          assert.include(step(yield* runOf(tenant, first.signalId), "reply"), "has sent a newer message")
          yield* TestClock.adjust("1 minute")
          assert.strictEqual(yield* workDueSignals(), 1)
          assert.isNotNull((yield* runOf(tenant, second.signalId)).reply)
          assert.deepStrictEqual(
            script.replies.map(({ conversation }) => conversation.length),
            [2]
          )
          const { result } = yield* handleRequest({ tenant, request })
          assert.isNotNull(result.reply)
        })
      )

      it.effect("answers the current state if a new message of the contact arrives during the run", () =>
        Effect.gen(function* () {
          const tenant = yield* open()
          const meanwhile = receive(tenant, {
            id: "2@x.example",
            inReplyTo: "first@customer.example",
            body: "And a gutter?"
          })
          const context = yield* Effect.context<Layer.Success<typeof world>>()
          script.write = () =>
            script.replies.length === 1
              ? meanwhile.pipe(Effect.provide(context), Effect.orDie, Effect.as("About the roof only."))
              : Effect.succeed("About roof and gutter.")
          const first = yield* receive(tenant)
          yield* TestClock.adjust("1 minute")
          yield* workDueSignals()
          assert.include(step(yield* runOf(tenant, first.signalId), "reply"), "has sent a newer message")
          yield* workDueSignals()
          assert.strictEqual((yield* draftOf(tenant, first.contactId))?.text, "About roof and gutter.")
        })
      )
    })
  })
}
