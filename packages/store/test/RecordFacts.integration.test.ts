import { assert } from "@effect/vitest"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { createField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { saveConfig } from "@leadloom/core/internal/workflow/tenant/SaveConfig"
import { acme, scenesOn } from "@leadloom/testkit/suite/Scene"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { intercept } from "./Interception.ts"
import { temporaryStore } from "./TemporaryStore.ts"

/** Every statement that the scene below runs. */
const statements: Array<string> = []

const watch = Layer.effectDiscard(
  intercept((text) => {
    statements.push(text)
    return null
  })
)

const scene = scenesOn(Layer.provideMerge(watch, temporaryStore))

const comparing = (fact: string): Rule => ({
  id: "rule",
  name: "Rule",
  priority: 1,
  when: { fact, op: "eq", value: "chat" },
  actions: [{ type: "tag", tag: "gold" }]
})

/** Returns the statements of a run of a known contact without a company, in their order. */
const statementsOfRun = Effect.gen(function* () {
  // The first message loads the configuration and fills the caches of the records.
  for (const message of ["Is there any news?", "Are you there?"]) {
    yield* TestClock.adjust("1 minute")
    statements.length = 0
    yield* acme.handleRequest({ message })
  }
  return [...statements]
})

scene("a run executes one more statement only if a rule compares the company or the conversation", () =>
  Effect.gen(function* () {
    const { config } = yield* acme.open()
    yield* createField("acme", { key: "plan", label: "Plan", type: "text" })
    yield* acme.handleRequest()
    const without = yield* statementsOfRun
    assert.deepStrictEqual(
      without.filter((text) => text.includes("FROM companies")),
      []
    )
    yield* saveConfig("acme", { ...config, rules: [comparing("contact.name")] })
    assert.deepStrictEqual(yield* statementsOfRun, without)
    yield* saveConfig("acme", { ...config, rules: [comparing("contact.custom_fields.plan")] })
    assert.deepStrictEqual(yield* statementsOfRun, without)
    yield* saveConfig("acme", { ...config, rules: [comparing("company.name")] })
    const [more, ...others] = (yield* statementsOfRun).toSorted()
    assert.strictEqual(1 + others.length, without.length + 1, more)
    yield* saveConfig("acme", { ...config, rules: [comparing("conversation.last_channel")] })
    const counting = yield* statementsOfRun
    assert.strictEqual(counting.length, without.length + 1)
    assert.strictEqual(counting.filter((text) => text.includes("AS unanswered")).length, 1)
  })
)
