import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compileRules, evaluateRules } from "../../../src/domain/rule/CompileRules.ts"
import type { Comparison, Condition, RuleValue } from "../../../src/domain/rule/Condition.ts"
import type { Operator } from "../../../src/domain/rule/Operator.ts"
import { type Facts, factTable } from "../../../src/domain/rule/Fact.ts"
import type { Rule } from "../../../src/domain/rule/Rule.ts"

const nothing: Facts = {
  ...(Object.fromEntries(Object.keys(factTable).map((name) => [name, null])) as Omit<Facts, "metadata">),
  metadata: {}
}
const facts: Facts = {
  ...nothing,
  "message.text": "  Our Roof leaks — can you send a QUOTE today? ",
  "message.channel": "email",
  "score.value": 72.5,
  "contact.is_new": true,
  "contact.tags": ["VIP", "north"],
  metadata: {
    budget: " 5000 ",
    rooms: 4,
    trial: "TRUE",
    tags: ["A", 7, "b"],
    plan: "Pro",
    nested: { a: 1 },
    none: null
  }
}
const rule = (id: string, when: Condition, over: Partial<Rule> = {}): Rule => ({
  id,
  name: `Rule ${id}`,
  priority: 0,
  when,
  actions: [{ type: "tag", tag: id }],
  ...over
})
const holds = (when: Condition, given: Facts = facts): boolean => {
  const compiled = compileRules([rule("r", when)])
  expect(compiled.skipped).toMatchObject([])
  return evaluateRules(compiled, given).matched.length === 1
}

const truths: ReadonlyArray<readonly [fact: string, op: Operator, yes: RuleValue, no: RuleValue]> = [
  ["message.text", "eq", "our roof leaks — can you send a quote today?", "our roof leaks"],
  ["message.text", "contains", "Roof Leaks", "roof fell"],
  ["message.text", "starts_with", "our roof", "roof"],
  ["message.text", "ends_with", "today?", "today"],
  ["message.text", "matches", "*roof*quote?today?", "*quote*roof*"],
  ["message.text", "has_word", "Quote, today", "quot"],
  ["message.text", "not_contains", "gutter", "roof"],
  ["message.channel", "neq", "sms", "email"],
  ["message.channel", "in", ["SMS", "email"], ["sms", "voice"]],
  ["message.channel", "not_in", ["sms"], ["email"]],
  ["message.channel", "exists", true, false],
  ["message.subject", "exists", false, true],
  ["score.value", "eq", 72.5, 72],
  ["score.value", "neq", 72, 72.5],
  ["score.value", "gt", 72.4, 72.5],
  ["score.value", "gte", 72.5, 72.6],
  ["score.value", "lt", 72.6, 72.5],
  ["score.value", "lte", 72.5, 72.4],
  ["score.value", "between", [72.5, 80], [73, 80]],
  ["score.value", "between", [70, 72.5], [60, 72]],
  ["score.value", "in", [1, 72.5], [72]],
  ["score.value", "not_in", [72], [72.5]],
  ["contact.is_new", "eq", true, false],
  ["contact.is_new", "neq", false, true],
  ["contact.tags", "includes", "vip", "south"],
  ["contact.tags", "not_includes", "south", "VIP"],
  ["contact.tags", "includes_any", ["south", "North"], ["south", "east"]],
  ["contact.tags", "includes_all", ["north", "vip"], ["north", "south"]],
  ["contact.tags", "exists", true, false],
  ["metadata.budget", "gte", 5_000, 5_001],
  ["metadata.budget", "eq", "5000", "500"],
  ["metadata.rooms", "eq", 4, 5],
  ["metadata.rooms", "eq", "4", "5"],
  ["metadata.trial", "eq", true, false],
  ["metadata.tags", "includes", "a", "7"],
  ["metadata.plan", "includes", "pro", "basic"],
  ["metadata.plan", "in", ["pro"], ["basic"]],
  ["metadata.plan", "exists", true, false],
  ["metadata.gone", "exists", false, true],
  ["metadata.none", "exists", false, true],
  ["metadata.toString", "exists", false, true],
  ["metadata.__proto__", "exists", false, true]
]

const negative: ReadonlySet<Operator> = new Set(["neq", "not_contains", "not_in", "not_includes"])

describe("evaluateRules", () => {
  it.each(truths)("compares %s %s: %j holds, %j does not", (fact, op, yes, no) => {
    expect(holds({ fact, op, value: yes })).toBe(true)
    expect(holds({ fact, op, value: no })).toBe(false)
  })

  it.each(truths.filter(([, op]) => op !== "exists"))(
    "matches a missing %s %s any value only if the operator is negative",
    (fact, op, yes) => {
      expect(holds({ fact, op, value: yes }, nothing)).toBe(negative.has(op))
    }
  )

  it("treats an empty text and an empty list as missing", () => {
    const empty: Facts = { ...nothing, "message.subject": " ", "contact.tags": [] }
    expect(holds({ fact: "message.subject", op: "exists", value: false }, empty)).toBe(true)
    expect(holds({ fact: "contact.tags", op: "exists", value: false }, empty)).toBe(true)
  })

  it("converts digits in a form's text to a number, and no other text", () => {
    const over = (value: unknown) =>
      holds({ fact: "metadata.n", op: "gte", value: -10 }, { ...nothing, metadata: { n: value } })
    for (const number of [5, "5", " -3.25 ", "+7"]) expect(over(number)).toBe(true)
    for (const other of ["", "5 rooms", "0x10", "1e3", "Infinity", Number.NaN, true, null, [5], "9".repeat(33)]) {
      expect(over(other)).toBe(false)
    }
  })

  it("converts true and false in a form's text to a boolean, and no other text", () => {
    const over = (value: unknown, expected: boolean) =>
      holds({ fact: "metadata.n", op: "eq", value: expected }, { ...nothing, metadata: { n: value } })
    expect([over(" False", false), over("true", true), over(false, false), over(true, true)]).not.toContain(false)
    for (const other of ["", "no", "0", 0, 1, null, [true]]) {
      expect(over(other, true) || over(other, false)).toBe(false)
    }
  })

  it("evaluates rules by priority, lower first, then in list order, and returns matches in that order", () => {
    const always: Condition = { all: [] }
    const rules = [
      rule("d", always, { priority: 5 }),
      rule("b", always),
      rule("c", always),
      rule("no", { fact: "message.channel", op: "eq", value: "sms" }),
      rule("off", always, { enabled: false }),
      rule("a", always, { priority: -1 })
    ]
    expect(evaluateRules(compileRules(rules), facts)).toEqual({
      matched: ["a", "b", "c", "d"].map((id) => ({
        ruleId: id,
        name: `Rule ${id}`,
        actions: [{ type: "tag", tag: id }]
      })),
      stoppedBy: null
    })
  })

  it("stops after the first matched rule with a stop action", () => {
    const stop: Partial<Rule> = { actions: [{ type: "stop" }, { type: "tag", tag: "last" }] }
    const rules = [
      rule("missed", { fact: "message.channel", op: "eq", value: "sms" }, stop),
      rule("first", { all: [] }),
      rule("stopper", { all: [] }, stop),
      rule("after", { all: [] })
    ]
    const { matched, stoppedBy } = evaluateRules(compileRules(rules), facts)
    expect(matched.map((match) => match.ruleId)).toEqual(["first", "stopper"])
    expect(matched[1]?.actions).toEqual(stop.actions)
    expect(stoppedBy).toBe("stopper")
  })

  it("leaves out an invalid rule completely and reports it", () => {
    const unknown: Comparison = { fact: "message.mood", op: "eq", value: "x" }
    const compiled = compileRules([rule("old", { any: [{ not: unknown }, { all: [] }] }), rule("good", { all: [] })])
    expect(compiled.skipped).toMatchObject([
      {
        path: "0.when.any.0.not.fact",
        message: 'Unknown fact "message.mood". Use a documented fact or metadata.<key>.'
      }
    ])
    expect(evaluateRules(compiled, facts).matched.map((match) => match.ruleId)).toEqual(["good"])
  })

  it("returns the result of the boolean logic, for any tree", () => {
    const comparison = fc
      .constantFrom(...truths)
      .chain(([fact, op, yes, no]) =>
        fc.constantFrom<readonly [Comparison, boolean]>(
          [{ fact, op, value: yes }, true],
          [{ fact, op, value: no }, false]
        )
      )
    type Sample = readonly [Condition, boolean]
    const { tree } = fc.letrec<{ tree: Sample }>((tie) => ({
      tree: fc.oneof(
        { depthSize: "small", maxDepth: 6 },
        comparison,
        fc
          .array(tie("tree"), { maxLength: 4 })
          .map((parts): Sample => [{ all: parts.map(([condition]) => condition) }, parts.every(([, truth]) => truth)]),
        fc
          .array(tie("tree"), { minLength: 1, maxLength: 4 })
          .map((parts): Sample => [{ any: parts.map(([condition]) => condition) }, parts.some(([, truth]) => truth)]),
        tie("tree").map(([condition, truth]): Sample => [{ not: condition }, !truth])
      )
    }))
    fc.assert(
      fc.property(tree, ([condition, truth]) => {
        expect(holds(condition)).toBe(truth)
      }),
      { numRuns: 1_000 }
    )
  })
})
