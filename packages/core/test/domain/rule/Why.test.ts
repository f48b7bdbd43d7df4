import { describe, expect, it } from "vitest"
import { makeBudget, runLimits } from "../../../src/domain/budget/Budget.ts"
import type { Comparison, Condition } from "../../../src/domain/rule/Condition.ts"
import { type Facts, factTable } from "../../../src/domain/rule/Fact.ts"
import { explainer } from "../../../src/domain/rule/Why.ts"

const facts: Facts = {
  ...(Object.fromEntries(Object.keys(factTable).map((name) => [name, null])) as Omit<Facts, "metadata">),
  "message.channel": "email",
  "message.text": "How much is a new roof?",
  "score.value": 40,
  metadata: {}
}

const isEmail: Comparison = { fact: "message.channel", op: "eq", value: "email" }
const isSms: Comparison = { fact: "message.channel", op: "eq", value: "sms" }
const isHot: Comparison = { fact: "score.value", op: "gte", value: 70 }
const isNamed: Comparison = { fact: "contact.name", op: "exists", value: true }

const missedBy = (when: Condition) => explainer(facts, makeBudget(runLimits)).missedBy(when)

const missed = (comparison: Comparison, actual: string | number | null, negated = false) => ({
  ...comparison,
  actual,
  negated
})

describe("a near match", () => {
  it.each<readonly [string, Condition, ReadonlyArray<object>]>([
    ["one false part of `all`", { all: [isEmail, isHot] }, [missed(isHot, 40)]],
    ["a missing fact", { all: [isEmail, isNamed] }, [missed(isNamed, null)]],
    ["a nested `all`", { all: [{ all: [isEmail, isHot] }] }, [missed(isHot, 40)]],
    ["alternatives", { all: [isEmail, { any: [isSms, isHot] }] }, [missed(isSms, "email"), missed(isHot, 40)]],
    ["a true part of `not`", { all: [{ not: isSms }, { not: isEmail }] }, [missed(isEmail, "email", true)]],
    ["`not` around `any`", { not: { any: [isSms, isEmail] } }, [missed(isEmail, "email", true)]],
    ["`not` around `all`", { all: [isEmail, { not: { all: [isEmail] } }] }, [missed(isEmail, "email", true)]]
  ])("names %s", (_, when, expected) => {
    expect(missedBy(when)).toEqual(expected)
  })

  it.each<readonly [string, Condition]>([
    ["a rule with one comparison", isHot],
    ["two false parts", { all: [isEmail, isHot, isNamed] }],
    ["only alternatives", { any: [isSms, isHot] }],
    ["alternatives with two false parts each", { all: [isEmail, { any: [{ all: [isSms, isHot] }] }] }]
  ])("needs more than %s", (_, when) => {
    expect(missedBy(when)).toEqual([])
  })

  it("lists at most three alternatives, and truncates long values", () => {
    const words = ["a", "b", "c", "d"].map((value): Comparison => ({ fact: "contact.email", op: "eq", value }))
    expect(missedBy({ all: [isEmail, { any: words }] })).toHaveLength(3)
    const long: Facts = { ...facts, "message.text": "x".repeat(10_000) }
    const [found] = explainer(long, makeBudget(runLimits)).missedBy({
      all: [isEmail, { fact: "message.text", op: "contains", value: "roof" }]
    })
    expect(String(found?.actual).length).toBeLessThanOrEqual(100)
  })
})
