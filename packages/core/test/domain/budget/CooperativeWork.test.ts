import { watched } from "@leadloom/testkit/suite/pipeline/WatchedBudget"
import * as fc from "fast-check"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { runCooperatively, makeBudget, runLimits } from "../../../src/domain/budget/Budget.ts"
import { compileGuardrails, evaluating } from "../../../src/domain/guardrail/EvaluateGuardrails.ts"
import { evaluateRulesInSlices } from "../../../src/domain/rule/EvaluateRulesInSlices.ts"
import { compileRules, paidAtOnce } from "../../../src/domain/rule/CompileRules.ts"
import type { Comparison, Condition } from "../../../src/domain/rule/Condition.ts"
import { factsOf } from "../../../src/domain/rule/Fact.ts"
import { compileProgram, predicateOf, runProgram } from "../../../src/domain/rule/Program.ts"

const time = { hour: 9, minuteOfDay: 540, weekday: "mon", date: "2026-03-02" }
const factsWith = (body: string) =>
  factsOf({
    message: {
      attachments: [],
      auto: null,
      body,
      channel: "email",
      metadata: {},
      receivedAlias: null,
      source: "smtp",
      subject: null
    },
    contact: { company: null, email: null, name: null, phone: null, tags: [] },
    contactIsNew: true,
    lead: null,
    leadIsNew: false,
    classification: null,
    score: null,
    time,
    now: 0
  })

const patterns = (count: number): ReadonlyArray<Comparison> =>
  Array.from({ length: count }, (_, i): Comparison => ({ fact: "message.text", op: "contains", value: `none ${i}` }))
const ruleOf = (when: Condition) =>
  compileRules([{ id: "r", name: "r", priority: 1, when, actions: [{ type: "tag", tag: "x" }] }])

describe("costly work", () => {
  it("yields to the event loop between the comparisons of one rule", async () => {
    const { budget, seen } = watched()
    let immediates = 0
    let isDone = false
    const count = (): void => {
      immediates++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await Effect.runPromise(
      evaluateRulesInSlices(ruleOf({ any: patterns(499) }), factsWith("roof ".repeat(20_000)), budget)
    )
    isDone = true
    expect(seen().turns).toBeGreaterThan(20)
    expect(seen().maxSteps).toBeLessThan(1_200_000)
    expect(immediates).toBeGreaterThanOrEqual(seen().turns)
  })

  it("yields between phrases, and while it reads a text", async () => {
    const { budget, seen } = watched()
    const phrases = Array.from({ length: 199 }, (_, i) => `roof house ${i}`)
    const guardrail = { id: "g", kind: "blocked_phrases", phrases: ["roof x", ...phrases] } as const
    const subject = { text: "röof ".repeat(30_000), classification: null, tier: "cold", repliesToday: 0, time } as const
    await Effect.runPromise(runCooperatively(evaluating(compileGuardrails([guardrail]), subject, budget), budget))
    const roofs = { ...subject, text: "roof ".repeat(30_000) }
    await Effect.runPromise(runCooperatively(evaluating(compileGuardrails([guardrail]), roofs, budget), budget))
    expect(seen().turns).toBeGreaterThan(20)
    expect(seen().maxSteps).toBeLessThan(2_000_000)
  })
})

describe("a search for links and prices", () => {
  it.each(["no_links", "no_prices"] as const)("yields to the event loop: %s", async (kind) => {
    const { budget, seen } = watched()
    const subject = { classification: null, tier: "cold", repliesToday: 0, time } as const
    const guards = compileGuardrails([{ id: "g", kind }])
    for (const text of ["rööf 12 ".repeat(17_500), "\ufdfa".repeat(8_000), "roof 12 ".repeat(30_000)]) {
      const { outcome } = await Effect.runPromise(
        runCooperatively(evaluating(guards, { ...subject, text }, budget), budget)
      )
      expect(outcome).toBe("allow")
    }
    expect(seen().turns).toBeGreaterThanOrEqual(7)
    expect(seen().maxSteps).toBeLessThan(1_400_000)
  })

  it("stops when a text becomes too long by normalisation", async () => {
    const budget = makeBudget(runLimits)
    const guards = compileGuardrails([{ id: "g", kind: "no_links" }])
    const subject = {
      text: "\ufdfa".repeat(200_000),
      classification: null,
      tier: "cold",
      repliesToday: 0,
      time
    } as const
    const result = await Effect.runPromise(Effect.result(runCooperatively(evaluating(guards, subject, budget), budget)))
    expect(result._tag).toBe("Failure")
  })
})

describe("rules about short texts", () => {
  it("charge all comparisons at once for short texts, and as much as other rules for long texts", () => {
    const spent = async (length: number): Promise<number> => {
      const budget = makeBudget({ ...runLimits, steps: Infinity })
      await Effect.runPromise(
        evaluateRulesInSlices(ruleOf({ all: patterns(100) }), factsWith("a".repeat(length)), budget)
      )
      return budget.steps()
    }
    return Promise.all([spent(500), spent(5_000)]).then(([short, long]) => {
      // The cost of all hundred is spent, although the first one already fails.
      expect(short).toBeGreaterThan((100 * 500) / 2)
      expect(short).toBeLessThan(paidAtOnce)
      // Only the cost of one is spent, in addition to the reading of the text.
      expect(long).toBeLessThan(100 * 500)
    })
  })

  it("match in the same cases, however they are evaluated", () => {
    const leaf = fc.record({
      fact: fc.constantFrom("message.text", "message.subject"),
      op: fc.constantFrom("contains", "not_contains", "eq", "neq", "matches", "has_word", "starts_with"),
      value: fc.constantFrom("a", "b", "a*", "*b", "ab")
    })
    const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 5 },
        leaf as fc.Arbitrary<Condition>,
        fc.record({ all: fc.array(tie("condition"), { maxLength: 4 }) }),
        fc.record({ any: fc.array(tie("condition"), { maxLength: 4 }) }),
        fc.record({ not: tie("condition") })
      )
    }))
    const plainly = (of: Condition, holds: (comparison: Comparison) => boolean): boolean => {
      if ("all" in of) return of.all.every((part) => plainly(part, holds))
      if ("any" in of) return of.any.some((part) => plainly(part, holds))
      return "not" in of ? !plainly(of.not, holds) : holds(of)
    }
    fc.assert(
      fc.property(condition, fc.constantFrom("", "a", "b", "ab", "a b", "ba"), (of, text) => {
        const request = (one: Condition): boolean => {
          const program = compileProgram(one, () => 0)
          const held = predicateOf(program)([text])
          expect(runProgram(program, [text], makeBudget(runLimits))).toBe(held)
          return held
        }
        expect(request(of)).toBe(plainly(of, request))
      })
    )
  })
})
