/**
 * Leadloom's compiled rules against common rule engines, on the same 50 rules and the same facts.
 *
 * First every engine must produce the same matches. Then each is measured in rounds that start with another engine each
 * time, in processor time, so that other load on the machine affects all equally. Printed: the median of each in sets
 * of facts per second (each set against all 50 rules), and the ratio to Leadloom. `ready facts` uses prepared facts;
 * `with factsOf` derives them from message, contact and lead first, as a run does. The other engines skip that step.
 */
import { compileRules, evaluateRules } from "@leadloom/core/internal/domain/rule/CompileRules"
import { factsOf } from "@leadloom/core/internal/domain/rule/Fact"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { factsOfEngines, ruleSet, sourcesSet } from "./RuleSets.ts"
import { compiledJsonLogic, jsonLogic, jsonRules } from "./RuleEngines.ts"

type Runner = (index: number) => unknown

const rules = ruleSet()
const sources = sourcesSet()
const ready = sources.map(factsOf)
const flat = ready.map(factsOfEngines)
const compiled = compileRules(rules)

const at = <A>(list: ReadonlyArray<A>, index: number): A => {
  const value = list[index % list.length]
  if (value === undefined) throw new Error("an empty list")
  return value
}

const ours = (index: number): ReadonlyArray<string> =>
  evaluateRules(compiled, at(ready, index)).matched.map(({ ruleId }) => ruleId)

const engines = {
  "json-rules-engine": jsonRules(rules),
  "json-logic-js": jsonLogic(rules),
  "json-logic-engine, built": compiledJsonLogic(rules)
}

/** Compares the matches of every engine with Leadloom's, for all sets of facts. */
const disagreements = async (): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const [index, facts] of flat.entries()) {
    const expected = ours(index).join()
    for (const [name, engine] of Object.entries(engines)) {
      const matched = (await engine(facts)).join()
      if (matched !== expected) found.push(`${name} matches ${matched} for facts ${index}, ours ${expected}`)
    }
  }
  return found
}

/** Returns the processor time of this process in seconds, including garbage collection. */
const processorSeconds = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000_000
}

/** Returns the sets of facts per second of processor time. Synchronous results are not awaited. */
const rate = async (run: Runner, length: number): Promise<number> => {
  const start = processorSeconds()
  let done = 0
  while (processorSeconds() - start < length) {
    for (let count = 0; count < 64; count++) {
      const result = run(done++)
      if (result instanceof Promise) await result
    }
  }
  return done / (processorSeconds() - start)
}

const cases: Readonly<Record<string, Runner>> = {
  ...Object.fromEntries(
    Object.entries(engines).map(([name, engine]) => [name, (index: number) => engine(at(flat, index))])
  ),
  "ours, ready facts": (index) => evaluateRules(compiled, at(ready, index)),
  "ours, with factsOf": (index) => evaluateRules(compiled, factsOf(at(sources, index)))
}

const measure = async (rounds: number, seconds: number): Promise<ReadonlyMap<string, number>> => {
  const names = Object.keys(cases)
  const rates = new Map(names.map((name) => [name, new Array<number>()]))
  for (const name of names) await rate(cases[name] ?? (() => null), seconds / 2)
  for (let round = 0; round < rounds; round++) {
    for (const offset of names.keys()) {
      const name = at(names, round + offset)
      rates.get(name)?.push(await rate(cases[name] ?? (() => null), seconds))
    }
  }
  return new Map(names.map((name) => [name, median(rates.get(name) ?? [])]))
}

/** The intended speed on ready facts, as a multiple of each engine's. */
const aims: Readonly<Record<string, number>> = {
  "json-rules-engine": 200,
  "json-logic-js": 10,
  "json-logic-engine, built": 0.7
}

const run = async (rounds: number, seconds: number): Promise<BenchResult> => {
  const wrong = await disagreements()
  const medians = wrong.length > 0 ? new Map<string, number>() : await measure(rounds, seconds)
  const own = medians.get("ours, ready facts") ?? 0
  const whole = medians.get("ours, with factsOf") ?? 0
  return {
    figures: {
      rules: rules.length,
      facts: flat.length,
      matchesEach: Number((flat.reduce((sum, _, index) => sum + ours(index).length, 0) / flat.length).toFixed(1)),
      disagreements: wrong.slice(0, 10),
      engines: [...medians].map(([engine, value]) => ({
        engine,
        setsPerSecond: Math.round(value),
        ours: Number((own / value).toFixed(2)),
        oursWithFactsOf: Number((whole / value).toFixed(2)),
        aim: aims[engine] ?? null
      }))
    },
    checks: { "all engines find the same matches": wrong.length === 0 }
  }
}

export const bench: Bench = {
  name: "rules",
  purpose: "The compiled rules against common rule engines, on the same 50 rules and the same facts.",
  usage: "[rounds] [seconds]",
  sizes: { smallest: [1, 0.02], small: [3, 0.2], full: [5, 0.6] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}
