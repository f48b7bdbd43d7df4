import { assert, describe } from "@effect/vitest"
import { type Backtest, runBacktest } from "@leadloom/core/internal/workflow/pipeline/RunBacktest"
import type { Classification } from "@leadloom/core/internal/domain/classification/Classification"
import type { Guardrail } from "@leadloom/core/internal/domain/guardrail/Guardrail"
import { handleRequest } from "@leadloom/core/internal/workflow/pipeline/HandleRequest"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { Classifier } from "@leadloom/core/internal/port/provider/Classifier"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { ReplyWriter } from "@leadloom/core/internal/port/provider/ReplyWriter"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { inTenant, request, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const about = (word: string, reply = "Hello {{contact.first_name}}, thank you."): Rule => ({
  id: "rule_word",
  name: "One word",
  priority: 1,
  when: { fact: "message.text", op: "has_word", value: word },
  actions: [
    { type: "tag", tag: word },
    { type: "reply", template: reply }
  ]
})

const nothingElse: Backtest = { config: null, rules: null, guardrails: null, since: 0, limit: 1_000, examples: 2 }

const say = (tenant: Tenant, ...messages: ReadonlyArray<string>) =>
  Effect.forEach(messages, (message, index) =>
    handleRequest({
      tenant,
      request: {
        ...request,
        message,
        contact: { name: "Jo Smith", email: `jo${index}@customer.example`, phone: null }
      }
    })
  )

const complaint: Classification = {
  intent: "complaint",
  urgency: "high",
  sentiment: "negative",
  summary: "Something leaks.",
  confidence: 0.9
}
const use = { model: "scripted", calls: 1, inputTokens: 10, outputTokens: 5 }

/** A model with constant answers. */
const model = Layer.mergeAll(
  Layer.succeed(Classifier, {
    configured: true,
    coversHipaa: false,
    classify: () => Effect.succeed({ classification: complaint, use })
  }),
  Layer.succeed(ReplyWriter, {
    configured: true,
    coversHipaa: false,
    write: () => Effect.succeed({ text: "We look into it.", use })
  })
)

const eventCount = Effect.fnUntraced(function* (tenantId: string) {
  return (yield* (yield* Events).after(tenantId, 0, 1_000)).length
})

const noPrices: Guardrail = { id: "prices", kind: "no_prices" }

/** Tests back-tests on a store. */
export const backtestSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`back-tests on ${name}`, () => {
    describe("one history", () => {
      scene("shows the matches that another word in a rule adds and removes, and has no side effects", () =>
        Effect.gen(function* () {
          const tenant = yield* inTenant("words").open({ rules: [about("roof")] })
          yield* say(tenant, "A roof please", "My roof leaks", "A new kitchen", "A roof in my kitchen", "Hello")
          const before = yield* eventCount("words")
          const idle = { ...about("unheard of"), id: "rule_idle", name: "Idle" }
          const found = yield* runBacktest("words", { ...nothingElse, rules: [about("kitchen"), idle] })
          assert.deepStrictEqual([found.examined, found.changed, found.more], [5, 4, false])
          const [rule, other] = found.rules
          assert.deepInclude(other, { ruleId: "rule_idle", before: 0, after: 0, gained: 0, lost: 0 })
          assert.deepInclude(rule, { ruleId: "rule_word", name: "One word", before: 3, after: 2, gained: 1, lost: 2 })
          assert.strictEqual(rule?.examples.length, 2)
          assert.deepStrictEqual(
            found.actions.map(({ altered, gained, lost, type }) => [type, gained, lost, altered]).toSorted(),
            [
              ["reply", 1, 2, 0],
              ["tag", 1, 2, 1]
            ]
          )
          assert.deepStrictEqual(
            found.replies.map((move) => [move.before, move.after, move.count]),
            [
              ["held", "none", 2],
              ["none", "held", 1]
            ]
          )
          assert.deepStrictEqual(
            found.replies[1]?.examples.map(({ excerpt }) => excerpt),
            ["A new kitchen"]
          )
          assert.strictEqual(yield* eventCount("words"), before)
        })
      )

      scene(
        "shows no change for the current configuration, even if other configurations applied when the messages arrived",
        () =>
          Effect.gen(function* () {
            const first = yield* inTenant("today").open({ rules: [about("roof")], classifier: "keywords" })
            yield* say(first, "A roof please", "What would a kitchen cost?")
            const { changed, examined } = yield* runBacktest("today", { ...nothingElse, config: first.config })
            assert.deepStrictEqual([examined, changed], [2, 0])
          })
      )

      scene("shows tiers after new thresholds, replies after new templates, and the effect of guardrails", () =>
        Effect.gen(function* () {
          const priced = about("roof", "A roof is $ 900.")
          const tenant = yield* inTenant("guarded").open({ rules: [priced], replyMode: "auto", guardrails: [noPrices] })
          yield* say(tenant, "A roof please", "Hello")
          const released = yield* runBacktest("guarded", { ...nothingElse, guardrails: [] })
          assert.deepStrictEqual(
            released.replies.map((move) => [move.before, move.after, move.count]),
            [["held", "released", 1]]
          )
          const blocked = yield* runBacktest("guarded", {
            ...nothingElse,
            guardrails: [{ ...noPrices, outcome: "block" }]
          })
          assert.deepStrictEqual(
            blocked.replies.map((move) => [move.before, move.after, move.count]),
            [["held", "blocked", 1]]
          )
          const rewritten = yield* runBacktest("guarded", { ...nothingElse, rules: [about("roof", "A roof is € 9.")] })
          assert.deepStrictEqual([rewritten.changed, rewritten.rewritten.count], [1, 1])
          const colder = { ...tenant.config, thresholds: { hot: 2, warm: 1 } }
          const tiers = yield* runBacktest("guarded", { ...nothingElse, config: colder })
          assert.deepStrictEqual(
            tiers.tiers.map((move) => [move.before, move.after, move.count]),
            [["cold", "hot", 2]]
          )
        })
      )

      scene("uses the recorded answers of the model, and skips questions that the model was not asked", () =>
        Effect.gen(function* () {
          const tenant = yield* inTenant("asked").open({ classifier: "model", replyMode: "draft" })
          yield* Effect.provide(say(tenant, "It leaks", "It leaks again"), model)
          const keywords: Tenant = { ...tenant, config: { ...tenant.config, classifier: "keywords", replyMode: "off" } }
          yield* Effect.provide(say(keywords, "It leaks for a third time"), model)
          const keyword = { ...tenant.config, classifier: "keywords" as const }
          const found = yield* runBacktest("asked", { ...nothingElse, config: keyword })
          assert.deepStrictEqual([found.examined, found.skipped.unasked], [2, 1])
          assert.deepStrictEqual(
            found.intents.map((move) => [move.before, move.count]),
            [["complaint", 2]]
          )
        })
      )

      scene("respects the limits on age and number of messages", () =>
        Effect.gen(function* () {
          const tenant = yield* inTenant("long").open({ rules: [about("roof")] })
          yield* say(tenant, "A roof")
          yield* TestClock.adjust("1 hour")
          yield* say(tenant, "Two roof", "Three roof", "Four roof")
          const change = { ...nothingElse, rules: [about("nothing")], examples: 20 }
          const limited = yield* runBacktest("long", { ...change, limit: 3 })
          assert.deepStrictEqual([limited.examined, limited.more], [3, true])
          assert.deepStrictEqual(limited.rules[0]?.examples.map(({ excerpt }) => excerpt).toSorted(), [
            "Four roof",
            "Three roof",
            "Two roof"
          ])
          const all = yield* runBacktest("long", { ...change, limit: 4 })
          assert.deepStrictEqual([all.examined, all.more], [4, false])
          const recent = yield* runBacktest("long", { ...change, since: (limited.oldest ?? 0) - 1 })
          assert.deepStrictEqual([recent.examined, recent.more], [3, false])
        })
      )

      scene("rejects an invalid change, with the paths in the request", () =>
        Effect.gen(function* () {
          const tenant = yield* inTenant("wrong").open()
          const rules = [about("roof"), about("roof")]
          const config = { ...tenant.config, timeZone: "Nowhere/Else" }
          const refused = yield* Effect.flip(runBacktest("wrong", { ...nothingElse, config, rules }))
          assert.strictEqual(refused._tag, "ConfigInvalid")
          const paths = refused._tag === "ConfigInvalid" ? refused.issues.map(({ path }) => path) : []
          assert.deepStrictEqual(paths, ["config.time_zone", "rules.1.id"])
        })
      )
    })
  })
}
