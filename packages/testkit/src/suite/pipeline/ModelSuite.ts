import { assert, describe } from "@effect/vitest"
import { usageMonth } from "@leadloom/core/internal/domain/billing/Plan"
import { classifyConversation } from "@leadloom/core/internal/workflow/reply/CallModel"
import { dryRun } from "@leadloom/core/internal/workflow/pipeline/DryRun"
import { maxConversationMessages } from "@leadloom/core/internal/workflow/pipeline/GatherRun"
import { generateReply } from "@leadloom/core/internal/workflow/reply/GenerateReply"
import { handleRequest } from "@leadloom/core/internal/workflow/pipeline/HandleRequest"
import { ModelFailed } from "@leadloom/core/internal/domain/classification/Model"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { maxSignalAttempts } from "@leadloom/core/internal/domain/classification/Signal"
import { signalQueue, workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { work } from "@leadloom/core/internal/workflow/worker/Worker"
import { Runs } from "@leadloom/core/internal/port/repository/pipeline/Runs"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import { Clock, Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { away, pricing, refused, defaultScript } from "../../memory/ScriptedModel.ts"
import { acme, inTenant, request, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { replayedRunOf, step } from "./ModelWorld.ts"

const template: Rule = {
  id: "rule_roof",
  name: "Roofs",
  priority: 1,
  when: { fact: "classification.intent", op: "eq", value: "pricing" },
  actions: [{ type: "tag", tag: "price" }]
}

/** Tests language models in the pipeline on a store. */
export const modelSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "model")

  describe(`a language model on ${name}`, () => {
    describe("in the pipeline", () => {
      scene(
        "classifies a message, and writes a draft from the conversation; both are stored and counted",
        ({ model: script }) =>
          Effect.gen(function* () {
            yield* acme.open({ rules: [template] })
            const { contactId, signalId } = yield* acme.receiveMail()
            yield* workDueSignals()
            const run = yield* replayedRunOf(signalId)
            assert.deepStrictEqual(script.requested, ["classify", "write"])
            assert.deepStrictEqual([run.classification, run.matchedRules.length], [pricing, 1])
            assert.strictEqual((yield* acme.draftOf(contactId))?.text, "We come on Monday and have a look.")
            assert.strictEqual(step(run, "classify"), "done: by scripted")
            assert.strictEqual(step(run, "reply"), "done: written by scripted; a person approves the reply")
            assert.deepStrictEqual(
              [run.recordings.classification?.outcome, run.recordings.reply?.outcome],
              ["answered", "answered"]
            )
            const usage = yield* acme.usage
            assert.deepStrictEqual([usage.ai_calls, usage.ai_input_tokens, usage.ai_output_tokens], [2, 200, 40])
            assert.deepStrictEqual(
              script.replies[0]?.conversation.map(({ actor }) => actor),
              ["contact"]
            )
          })
      )

      scene("receives no data of a HIPAA tenant, on any path", ({ model: script }) =>
        Effect.gen(function* () {
          const tenant = { ...(yield* acme.open()), hipaa: true }
          const { result } = yield* handleRequest({ tenant, request })
          const tried = yield* dryRun({ tenant, request })
          const refusals = [
            yield* Effect.flip(classifyConversation({ tenant, request })),
            yield* Effect.flip(generateReply({ tenant, request }))
          ]
          assert.deepStrictEqual([result.classification, result.reply, tried.result.reply], [null, null, null])
          assert.deepStrictEqual(
            refusals.map(({ _tag }) => _tag),
            ["ModelMissing", "ModelMissing"]
          )
          assert.deepStrictEqual(script.requested, [])
        })
      )

      scene("receives only the latest messages, and no request if a template writes the reply", ({ model: script }) =>
        Effect.gen(function* () {
          yield* acme.open()
          for (let number = 0; number < maxConversationMessages + 2; number++) {
            yield* acme.receiveMail({ id: `${number}@x.example`, subject: `Roof ${number}`, body: `Message ${number}` })
            yield* TestClock.adjust("1 minute")
          }
          yield* workDueSignals()
          // The older messages were superseded. Each message was classified, but only one reply was written, which
          // answers all of them.
          assert.strictEqual(script.requested.filter((what) => what === "write").length, 1)
          const spoken = script.replies[0]?.conversation ?? []
          assert.strictEqual(spoken.length, maxConversationMessages)
          assert.include(spoken.at(-1)?.text, `Message ${maxConversationMessages + 1}`)
          const answering: Rule = { ...template, actions: [{ type: "reply", template: "By template." }] }
          script.requested.length = 0
          const other = inTenant("other")
          yield* other.open({ rules: [answering] })
          const { signalId } = yield* other.receiveMail()
          yield* workDueSignals()
          assert.deepStrictEqual(script.requested, ["classify"])
          assert.strictEqual((yield* other.runOf(signalId)).reply?.text, "By template.")
        })
      )

      scene("receives no automatic mail, and writes no reply to an unverified contact", ({ model: script }) =>
        Effect.gen(function* () {
          yield* acme.open()
          const list = yield* acme.receiveMail({ subject: "News", more: ["List-Id: <news.customer.example>"] })
          yield* workDueSignals()
          assert.deepStrictEqual(script.requested, [])
          assert.isNull((yield* replayedRunOf(list.signalId)).classification)
          yield* acme.receiveMail({ id: "a@x.example" })
          const stranger = yield* acme.receiveMail({
            id: "b@x.example",
            from: "eve@evil.example",
            inReplyTo: "a@x.example",
            subject: "Re: A roof"
          })
          yield* workDueSignals()
          assert.include(step(yield* replayedRunOf(stranger.signalId), "reply"), "not verified")
          assert.notInclude(JSON.stringify(script.replies), "eve@evil.example")
          assert.strictEqual(script.replies.length, 1)
        })
      )

      scene("receives no request after the model calls of the plan are used up", ({ model: script }) =>
        Effect.gen(function* () {
          yield* acme.open()
          const month = usageMonth(yield* Clock.currentTimeMillis)
          yield* (yield* Usages).add("acme", "ai_calls", month, 100_000)
          const { contactId, signalId } = yield* acme.receiveMail()
          yield* workDueSignals()
          const run = yield* replayedRunOf(signalId)
          assert.strictEqual(step(run, "classify"), "skipped: the AI calls of this month are used up")
          assert.strictEqual(step(run, "reply"), "skipped: the AI calls of this month are used up")
          assert.deepStrictEqual([script.requested, yield* acme.taskTypesOf(contactId)], [[], []])
        })
      )

      scene("delays a queued signal during an outage, for the time that the model requests", ({ model: script }) =>
        Effect.gen(function* () {
          yield* acme.open()
          script.classify = () => Effect.fail(new ModelFailed({ ...away, retryAfterMillis: 60_000 }))
          const { signalId } = yield* acme.receiveMail()
          assert.strictEqual(yield* workDueSignals(), 1)
          assert.isNull(yield* acme.findRun(signalId))
          yield* TestClock.adjust("59 seconds")
          assert.strictEqual(yield* workDueSignals(), 0)
          script.classify = defaultScript().classify
          yield* TestClock.adjust("1 second")
          assert.strictEqual(yield* workDueSignals(), 1)
          assert.strictEqual((yield* replayedRunOf(signalId)).reply?.requiresApproval, true)
        })
      )

      scene(
        "is skipped at the last attempt of a long outage, and a task asks a person to check the message",
        ({ model: script }) =>
          Effect.gen(function* () {
            yield* acme.open({ rules: [{ ...template, when: { all: [] } }] })
            script.classify = () => Effect.fail(away)
            const { contactId, signalId } = yield* acme.receiveMail()
            for (let attempt = 1; attempt <= maxSignalAttempts; attempt++) {
              assert.isNull(yield* acme.findRun(signalId))
              assert.strictEqual(yield* workDueSignals(), 1)
              yield* TestClock.adjust("10 minutes")
            }
            const run = yield* replayedRunOf(signalId)
            assert.strictEqual(step(run, "classify"), "failed: 529 overloaded")
            assert.strictEqual(step(run, "reply"), "failed: 529 overloaded")
            assert.deepStrictEqual(
              run.actions.map(({ outcome }) => outcome),
              ["done"]
            )
            assert.deepStrictEqual(yield* acme.taskTypesOf(contactId), ["review"])
            assert.strictEqual(script.requested.length, maxSignalAttempts)
          })
      )

      scene("is skipped immediately after a permanent failure", ({ model: script }) =>
        Effect.gen(function* () {
          yield* acme.open()
          script.write = () => Effect.fail(refused)
          const { contactId, signalId } = yield* acme.receiveMail()
          yield* workDueSignals()
          const run = yield* replayedRunOf(signalId)
          assert.deepStrictEqual([run.classification, run.reply], [pricing, null])
          assert.strictEqual(step(run, "reply"), "failed: it refused")
          assert.deepStrictEqual(yield* acme.taskTypesOf(contactId), ["review"])
        })
      )

      scene("does not delay a synchronous request during an outage", ({ model: script }) =>
        Effect.gen(function* () {
          const tenant = yield* acme.open()
          script.classify = () => Effect.fail(away)
          const { signalId } = yield* handleRequest({ tenant, request })
          const run = yield* replayedRunOf(signalId)
          assert.strictEqual(step(run, "classify"), "failed: 529 overloaded")
          assert.deepStrictEqual(yield* acme.taskTypesOf(run.contactId), ["review"])
          assert.strictEqual(yield* workDueSignals(), 0)
        })
      )

      scene(
        "does not delay other signals while it is slow, and its signal is not claimed by a second worker",
        ({ model: script }) =>
          Effect.gen(function* () {
            yield* acme.open()
            script.classify = () => Effect.never
            const waiting = yield* acme.receiveMail()
            const quick = inTenant("quick")
            yield* quick.open({ classifier: "off", replyMode: "off" })
            const signals = yield* Signals
            let holds = 0
            const hold: typeof signals.hold = (...which) => Effect.map(signals.hold(...which), () => void (holds += 1))
            const worker = yield* work(signalQueue, Latch.makeUnsafe(false)).pipe(
              Effect.provideService(Signals, { ...signals, hold }),
              Effect.forkChild({ startImmediately: true })
            )
            const until = <A, E, R>(done: Effect.Effect<A | null, E, R>) =>
              Effect.repeat(
                Effect.andThen(
                  Effect.promise(() => new Promise((go) => setTimeout(go, 1))),
                  done
                ),
                {
                  until: (found) => found !== null
                }
              )
            const held = (times: number) => until(Effect.sync(() => (holds >= times ? true : null)))
            yield* held(1)
            const other = yield* quick.receiveMail()
            yield* TestClock.adjust("1 second")
            assert.isNotNull(yield* until(quick.findRun(other.signalId)))
            assert.isNull(yield* acme.findRun(waiting.signalId))
            for (let times = 2; times < 5; times++) {
              yield* TestClock.adjust("15 seconds")
              yield* held(times)
            }
            assert.strictEqual(yield* workDueSignals(), 0)
            yield* Fiber.interrupt(worker)
            script.classify = defaultScript().classify
            assert.strictEqual(yield* workDueSignals(), 1)
            yield* replayedRunOf(waiting.signalId)
          })
      )

      scene("is also requested by a dry run, which stores only the usage", () =>
        Effect.gen(function* () {
          const tenant = yield* acme.open()
          const { result } = yield* dryRun({ tenant, request })
          assert.deepStrictEqual(
            [result.classification, result.reply?.text],
            [pricing, "We come on Monday and have a look."]
          )
          assert.strictEqual((yield* acme.usage).ai_calls, 2)
          const runs = yield* (yield* Runs).page("acme", { contactId: null, leadId: null }, 10, null)
          assert.deepStrictEqual(runs, [])
        })
      )
    })
  })
}
