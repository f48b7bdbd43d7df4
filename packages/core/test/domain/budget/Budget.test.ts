import * as fc from "fast-check"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import {
  type Budget,
  BudgetExceeded,
  makeBudget,
  newPace,
  runLimits,
  textLimits
} from "../../../src/domain/budget/Budget.ts"
import {
  compileGuardrails,
  evaluateCompiled,
  evaluateText,
  type GuardSubject
} from "../../../src/domain/guardrail/EvaluateGuardrails.ts"
import { compileRules, evaluateRules } from "../../../src/domain/rule/CompileRules.ts"
import type { Comparison } from "../../../src/domain/rule/Condition.ts"
import { factsOf, type FactSources } from "../../../src/domain/rule/Fact.ts"
import { compileGlob } from "../../../src/domain/rule/Glob.ts"
import { textSearch } from "../../../src/domain/rule/TextSearch.ts"
import { checkLimits } from "../../../src/domain/tenant/ConfigLimits.ts"
import { defaultConfig } from "../../../src/domain/tenant/TenantConfig.ts"

const time = { hour: 9, minuteOfDay: 540, weekday: "mon", date: "2026-03-02" }
const sources = (body: string): FactSources => ({
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

/** Returns the steps that one rule with these comparisons spends on a text. */
const stepsOf = (body: string, any: ReadonlyArray<Comparison>): number => {
  const budget = makeBudget({ ...runLimits, steps: Infinity })
  const rule = { id: "r", name: "r", priority: 1, when: { any }, actions: [{ type: "tag", tag: "x" }] } as const
  evaluateRules(compileRules([rule]), factsOf(sources(body)), budget)
  return budget.steps()
}

const exceeding = (work: () => unknown): BudgetExceeded => {
  try {
    work()
  } catch (cause) {
    if (cause instanceof BudgetExceeded) return cause
    throw cause
  }
  throw new Error("it fits the budget")
}

describe("a budget", () => {
  it("ends work with too many steps, too much output or too many actions, and keeps the first reason", () => {
    const budget = makeBudget({ steps: 1_000, stepsAtOnce: 1_000, characters: 10, actions: 2, milliseconds: Infinity })
    budget.spend(1_000)
    expect(exceeding(() => budget.spend(1)).reason).toBe("rules, templates and guardrails took more than 1,000 steps")
    expect(exceeding(() => budget.write(11)).resource).toBe("steps")
    expect(exceeding(() => makeBudget({ ...runLimits, characters: 10 }).write(11)).resource).toBe("characters")
    expect(exceeding(() => makeBudget({ ...runLimits, actions: 2 }).act(3)).resource).toBe("actions")
  })

  it("ends uninterruptible work with too many steps", () => {
    const budget = makeBudget({ ...runLimits, stepsAtOnce: 500 })
    budget.spendAtOnce(500)
    expect(exceeding(() => budget.spendAtOnce(501)).reason).toBe(
      "a template requires one filter to do more than 500 steps of work"
    )
    const small = makeBudget({ ...runLimits, steps: 400, stepsAtOnce: 500 })
    expect(exceeding(() => small.spendAtOnce(501)).resource).toBe("steps")
  })

  it("ends work that takes too long, without counting the time of other fibers", async () => {
    let now = 0
    const work = (budget: Budget) => budget.spend(1_000_000)
    const late = makeBudget(runLimits, () => now)
    now = 1_001
    expect(exceeding(() => work(late)).resource).toBe("milliseconds")
    const patient = makeBudget(runLimits, () => now)
    const others = Effect.sync(() => (now += 60_000))
    work(patient)
    await Effect.runPromise(Effect.all([patient.pause, others], { concurrency: 2 }))
    expect(() => work(patient)).not.toThrow()
  })

  it("yields to the event loop every million steps, even across budgets", () => {
    const pace = newPace()
    const first = makeBudget(runLimits, undefined, pace)
    first.spend(600_000)
    expect(first.turnIsDue()).toBe(false)
    const next = makeBudget(runLimits, undefined, pace)
    expect(next.turnIsDue()).toBe(false)
    next.spend(400_000)
    expect(next.turnIsDue()).toBe(true)
    Effect.runFork(next.pause)
  })
})

describe("the steps of rules", () => {
  const texts = ["a", "ab", "the quick brown fox ", "я"]
  const hostile = (length: number): Record<string, Comparison> => ({
    contains: { fact: "message.text", op: "contains", value: `${"a".repeat(200)}z` },
    "long contains": { fact: "message.text", op: "contains", value: `az${"a".repeat(400)}` },
    stars: { fact: "message.text", op: "matches", value: `${"*a".repeat(100)}*z` },
    marks: { fact: "message.text", op: "matches", value: `*${"a?".repeat(200)}z*` },
    word: { fact: "message.text", op: "has_word", value: `fox ${length}` }
  })

  it.each(Object.keys(hostile(0)))("grow no faster than the text: %s", (name) => {
    for (const text of texts) {
      const steps = (length: number): number =>
        stepsOf(text.repeat(length).slice(0, length), [hostile(length)[name] ?? []].flat())
      expect(steps(400_000)).toBeLessThanOrEqual(2 * steps(200_000) + 1_000)
    }
  })

  it("grow with the number of patterns, and include the reading and folding of the text only once", () => {
    const pattern = (index: number): Comparison => ({ fact: "message.text", op: "matches", value: `*none ${index}*` })
    const steps = (count: number) =>
      stepsOf(
        "a".repeat(100_000),
        Array.from({ length: count }, (_, i) => pattern(i))
      )
    expect(steps(500) - steps(499)).toBeLessThan(5_000)
    expect(steps(1)).toBeGreaterThan(200_000)
  })

  it("end thousands of patterns over a long message", () => {
    const budget = makeBudget(runLimits)
    const rules = Array.from({ length: 6 }, (_, id) => ({
      id: `r${id}`,
      name: "r",
      priority: id,
      when: {
        any: Array.from({ length: 499 }, (_unused, i): Comparison => {
          return { fact: "message.text", op: "matches", value: `*${"a*".repeat(100)}${id} ${i}` }
        })
      },
      actions: [{ type: "tag", tag: "x" }] as const
    }))
    const facts = factsOf(sources("a".repeat(900_000)))
    expect(exceeding(() => evaluateRules(compileRules(rules), facts, budget)).resource).toBe("steps")
  })
})

describe("a pattern search", () => {
  it("finds the same matches as the regular expression engine, for patterns of any length", () => {
    const unit = fc.constantFrom("a", "b")
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 251, maxLength: 300 }),
        fc.string({ unit, maxLength: 40 }),
        fc.nat(5),
        (long, noise, from) => {
          for (const pattern of [long, noise]) {
            const text = noise + long + noise
            expect(textSearch(pattern)(text, from)).toBe(text.indexOf(pattern, from))
          }
        }
      )
    )
  })

  it("matches question marks across machine words of the bit set", () => {
    const unit = fc.constantFrom("a", "b", "?")
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 1, maxLength: 100 }),
        fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 160 }),
        (part, text) => {
          const expected = new RegExp(part.replaceAll("?", "[^]"), "u").test(text)
          expect(compileGlob(`*${part}*`).test(text)).toBe(expected)
        }
      )
    )
  })
})

describe("the steps of guardrails", () => {
  const subject = (text: string): GuardSubject => ({ text, classification: null, tier: "cold", repliesToday: 0, time })
  const phrases = (count: number, each: number) =>
    Array.from({ length: count }, (_, id) => {
      const [first = "", ...more] = Array.from({ length: each }, (_unused, index) => `the quick ${id} ${index}`)
      return { id: `g${id}`, kind: "blocked_phrases", outcome: "block", phrases: [first, ...more] } as const
    })
  const words = "the quick brown fox jumps ".repeat(34_000)

  it("include the reading of the text only once for all phrases, links and prices", () => {
    const spent = (guardrails: Parameters<typeof compileGuardrails>[0]): number => {
      const budget = makeBudget({ ...runLimits, steps: Infinity })
      evaluateCompiled(compileGuardrails(guardrails), subject("hello ".repeat(1_000)), budget)
      return budget.steps()
    }
    const many = Array.from({ length: 100 }, (_, id) => ({ id: `l${id}`, kind: "no_links" }) as const)
    expect(spent(many)).toBe(spent(many.slice(0, 1)))
    expect(spent(phrases(100, 1))).toBeLessThan(spent(phrases(1, 1)) * 20)
  })

  it("end a run whose reply is too long to check", () => {
    const work = () => evaluateCompiled(compileGuardrails(phrases(10, 200)), subject(words), makeBudget(runLimits))
    expect(exceeding(work).resource).toBe("steps")
  })

  it("block a text that was too long to check", () => {
    const { outcome, evaluations } = evaluateText(phrases(10, 200), words, makeBudget(textLimits))
    expect(outcome).toBe("block")
    expect(evaluations.at(-1)?.reason).toEqual({ code: "check_over_budget" })
    expect(evaluateText(phrases(10, 200), "hello").outcome).toBe("allow")
  })
})

describe("the size of a configuration", () => {
  const when = (comparisons: number, op: "contains" | "matches") => ({
    any: Array.from({ length: comparisons }, (_, i): Comparison => ({ fact: "message.text", op, value: `x${i}` }))
  })
  const rules = (count: number, comparisons: number, op: "contains" | "matches", template = "x", actions = 1) =>
    Array.from({ length: count }, (_, id) => {
      const notify = { type: "notify", message: template } as const
      return {
        id: `r${id}`,
        name: "r",
        priority: id,
        when: when(comparisons, op),
        actions: [notify, ...Array.from({ length: actions - 1 }, () => notify)]
      } as const
    })

  it.each([
    ["actions", rules(200, 1, "contains", "x", 6), rules(100, 1, "contains", "x", 10)],
    ["comparisons", rules(26, 400, "contains"), rules(25, 400, "contains")],
    ["patterns", rules(6, 400, "matches"), rules(5, 400, "matches")],
    ["template characters", rules(101, 1, "contains", "x".repeat(2_000)), rules(100, 1, "contains", "x".repeat(2_000))]
  ])("has a limit of %s", (what, tooMany, enough) => {
    const [issue, ...more] = checkLimits({ ...defaultConfig, rules: tooMany })
    expect(more).toEqual([])
    expect(issue?.path).toBe("rules")
    expect(issue?.message).toContain(what)
    expect(checkLimits({ ...defaultConfig, rules: enough })).toEqual([])
  })

  it("has a maximum number of phrases", () => {
    const guardrails = (count: number) =>
      Array.from({ length: count }, (_, id) => {
        const [first = "", ...more] = Array.from({ length: 200 }, (_unused, i) => `phrase ${i}`)
        return { id: `g${id}`, kind: "blocked_phrases", phrases: [first, ...more] } as const
      })
    expect(checkLimits({ ...defaultConfig, guardrails: guardrails(10) })).toEqual([])
    expect(checkLimits({ ...defaultConfig, guardrails: guardrails(11) })[0]?.message).toBe(
      "The guardrails have 2200 phrases in total. The maximum is 2000."
    )
  })
})
