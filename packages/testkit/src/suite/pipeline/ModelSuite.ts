import { assert, describe, layer } from "@effect/vitest"
import { usageMonth } from "@leadloom/core/domain/billing/Plan"
import { classifyConversation } from "@leadloom/core/workflow/reply/CallModel"
import { dryRun } from "@leadloom/core/workflow/pipeline/DryRun"
import { maxConversationMessages } from "@leadloom/core/workflow/pipeline/GatherRun"
import { generateReply } from "@leadloom/core/workflow/reply/GenerateReply"
import { handleRequest } from "@leadloom/core/workflow/pipeline/HandleRequest"
import { ModelFailed } from "@leadloom/core/domain/classification/Model"
import type { Rule } from "@leadloom/core/domain/rule/Rule"
import { maxSignalAttempts } from "@leadloom/core/domain/classification/Signal"
import { signalQueue, workDueSignals } from "@leadloom/core/workflow/pipeline/WorkSignals"
import { work } from "@leadloom/core/workflow/worker/Worker"
import { Runs } from "@leadloom/core/port/repository/pipeline/Runs"
import { Signals } from "@leadloom/core/port/repository/pipeline/Signals"
import { Usages } from "@leadloom/core/port/repository/tenant/Usages"
import { Clock, Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { away, pricing, refused, defaultScript } from "./ScriptedModel.ts"
import { openTenant, type StoreLayer } from "../World.ts"
import { draftOf, findRun, modelWorld, request, runOf, step, receive, tasksOf, usageOf } from "./ModelWorld.ts"
const template: Rule = {
  id: "rule_roof",
  name: "Roofs",
  priority: 1,
  when: { fact: "classification.intent", op: "eq", value: "pricing" },
  actions: [{ type: "tag", tag: "price" }]
}

/** Tests language models in the pipeline on a store. All tests share the store, and each test has its own tenant. */
export const modelSuite = (name: string, store: StoreLayer): void => {
  const { open, script, world } = modelWorld(store)

  describe(`a language model on ${name}`, () => {
    layer(world)("in the pipeline", (it) => {
      it.effect("classifies a message, and writes a draft from the conversation; both are stored and counted", () =>
        Effect.gen(function* () {
          const tenant = yield* open({ rules: [template] })
          const { contactId, signalId } = yield* receive(tenant)
          yield* workDueSignals()
          const run = yield* runOf(tenant, signalId)
          assert.deepStrictEqual(script.requested, ["classify", "write"])
          assert.deepStrictEqual([run.classification, run.matchedRules.length], [pricing, 1])
          assert.strictEqual((yield* draftOf(tenant, contactId))?.text, "We come on Monday and have a look.")
          assert.strictEqual(step(run, "classify"), "done: by scripted")
          assert.strictEqual(step(run, "reply"), "done: written by scripted; a person approves the reply")
          assert.deepStrictEqual(
            [run.recordings.classification?.outcome, run.recordings.reply?.outcome],
            ["answered", "answered"]
          )
          const usage = yield* usageOf(tenant)
          assert.deepStrictEqual([usage.ai_calls, usage.ai_input_tokens, usage.ai_output_tokens], [2, 200, 40])
          assert.deepStrictEqual(
            script.replies[0]?.conversation.map(({ actor }) => actor),
            ["contact"]
          )
        })
      )

      it.effect("receives no data of a HIPAA tenant, on any path", () =>
        Effect.gen(function* () {
          const tenant = { ...(yield* open()), hipaa: true }
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

      it.effect("receives only the latest messages, and no request if a template writes the reply", () =>
        Effect.gen(function* () {
          const tenant = yield* open()
          for (let number = 0; number < maxConversationMessages + 2; number++) {
            yield* receive(tenant, { id: `${number}@x.example`, subject: `Roof ${number}`, body: `Message ${number}` })
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
          const other = yield* open({ rules: [answering] })
          const { signalId } = yield* receive(other)
          yield* workDueSignals()
          assert.deepStrictEqual(script.requested, ["classify"])
          assert.strictEqual((yield* runOf(other, signalId)).reply?.text, "By template.")
        })
      )

      it.effect("receives no automatic mail, and writes no reply to an unverified contact", () =>
        Effect.gen(function* () {
          const tenant = yield* open()
          const list = yield* receive(tenant, { subject: "News", more: ["List-Id: <news.customer.example>"] })
          yield* workDueSignals()
          assert.deepStrictEqual(script.requested, [])
          assert.isNull((yield* runOf(tenant, list.signalId)).classification)
          yield* receive(tenant, { id: "a@x.example" })
          const stranger = yield* receive(tenant, {
            id: "b@x.example",
            from: "eve@evil.example",
            inReplyTo: "a@x.example",
            subject: "Re: A roof"
          })
          yield* workDueSignals()
          assert.include(step(yield* runOf(tenant, stranger.signalId), "reply"), "not verified")
          assert.notInclude(JSON.stringify(script.replies), "eve@evil.example")
          assert.strictEqual(script.replies.length, 1)
        })
      )

      it.effect("receives no request after the model calls of the plan are used up", () =>
        Effect.gen(function* () {
          const tenant = yield* open()
          const month = usageMonth(yield* Clock.currentTimeMillis)
          yield* (yield* Usages).add(tenant.tenantId, "ai_calls", month, 100_000)
          const { contactId, signalId } = yield* receive(tenant)
          yield* workDueSignals()
          const run = yield* runOf(tenant, signalId)
          assert.strictEqual(step(run, "classify"), "skipped: the AI calls of this month are used up")
          assert.strictEqual(step(run, "reply"), "skipped: the AI calls of this month are used up")
          assert.deepStrictEqual([script.requested, yield* tasksOf(tenant, contactId)], [[], []])
        })
      )

      it.effect("delays a queued signal during an outage, for the time that the model requests", () =>
        Effect.gen(function* () {
          const tenant = yield* open()
          script.classify = () => Effect.fail(new ModelFailed({ ...away, retryAfterMillis: 60_000 }))
          const { signalId } = yield* receive(tenant)
          assert.strictEqual(yield* workDueSignals(), 1)
          assert.isNull(yield* findRun(tenant, signalId))
          yield* TestClock.adjust("59 seconds")
          assert.strictEqual(yield* workDueSignals(), 0)
          script.classify = defaultScript().classify
          yield* TestClock.adjust("1 second")
          assert.strictEqual(yield* workDueSignals(), 1)
          assert.strictEqual((yield* runOf(tenant, signalId)).reply?.requiresApproval, true)
        })
      )

      it.effect("is skipped at the last attempt of a long outage, and a task asks a person to check the message", () =>
        Effect.gen(function* () {
          const tenant = yield* open({ rules: [{ ...template, when: { all: [] } }] })
          script.classify = () => Effect.fail(away)
          const { contactId, signalId } = yield* receive(tenant)
          for (let attempt = 1; attempt <= maxSignalAttempts; attempt++) {
            assert.isNull(yield* findRun(tenant, signalId))
            assert.strictEqual(yield* workDueSignals(), 1)
            yield* TestClock.adjust("10 minutes")
          }
          const run = yield* runOf(tenant, signalId)
          assert.strictEqual(step(run, "classify"), "failed: 529 overloaded")
          assert.strictEqual(step(run, "reply"), "failed: 529 overloaded")
          assert.deepStrictEqual(
            run.actions.map(({ outcome }) => outcome),
            ["done"]
          )
          assert.deepStrictEqual(yield* tasksOf(tenant, contactId), ["review"])
          assert.strictEqual(script.requested.length, maxSignalAttempts)
        })
      )

      it.effect("is skipped immediately after a permanent failure", () =>
        Effect.gen(function* () {
          const tenant = yield* open()
          script.write = () => Effect.fail(refused)
          const { contactId, signalId } = yield* receive(tenant)
          yield* workDueSignals()
          const run = yield* runOf(tenant, signalId)
          assert.deepStrictEqual([run.classification, run.reply], [pricing, null])
          assert.strictEqual(step(run, "reply"), "failed: it refused")
          assert.deepStrictEqual(yield* tasksOf(tenant, contactId), ["review"])
        })
      )

      it.effect("does not delay a synchronous request during an outage", () =>
        Effect.gen(function* () {
          const tenant = yield* open()
          script.classify = () => Effect.fail(away)
          const { signalId } = yield* handleRequest({ tenant, request })
          const run = yield* runOf(tenant, signalId)
          assert.strictEqual(step(run, "classify"), "failed: 529 overloaded")
          assert.deepStrictEqual(yield* tasksOf(tenant, run.contactId), ["review"])
          assert.strictEqual(yield* workDueSignals(), 0)
        })
      )

      it.effect("does not delay other signals while it is slow, and its signal is not claimed by a second worker", () =>
        Effect.gen(function* () {
          const slow = yield* open()
          script.classify = () => Effect.never
          const waiting = yield* receive(slow)
          const quick = yield* openTenant(`quick-${slow.tenantId}`, { classifier: "off", replyMode: "off" })
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
          const other = yield* receive(quick)
          yield* TestClock.adjust("1 second")
          assert.isNotNull(yield* until(findRun(quick, other.signalId)))
          assert.isNull(yield* findRun(slow, waiting.signalId))
          for (let times = 2; times < 5; times++) {
            yield* TestClock.adjust("15 seconds")
            yield* held(times)
          }
          assert.strictEqual(yield* workDueSignals(), 0)
          yield* Fiber.interrupt(worker)
          script.classify = defaultScript().classify
          assert.strictEqual(yield* workDueSignals(), 1)
          yield* runOf(slow, waiting.signalId)
        })
      )

      it.effect("is also requested by a dry run, which stores only the usage", () =>
        Effect.gen(function* () {
          const tenant = yield* open()
          const { result } = yield* dryRun({ tenant, request })
          assert.deepStrictEqual(
            [result.classification, result.reply?.text],
            [pricing, "We come on Monday and have a look."]
          )
          assert.strictEqual((yield* usageOf(tenant)).ai_calls, 2)
          const runs = yield* (yield* Runs).page(tenant.tenantId, { contactId: null, leadId: null }, 10, null)
          assert.deepStrictEqual(runs, [])
        })
      )
    })
  })
}
