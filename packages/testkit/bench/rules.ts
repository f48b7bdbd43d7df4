/**
 * Leadloom's compiled rules against common rule engines, on the same 50 rules and the same facts.
 *
 *   npm run bench -- rules [rounds] [seconds]
 *
 * First every engine must produce the same matches. Then each is measured in rounds that start with another engine each
 * time, in processor time, so that other load on the machine affects all equally. Printed: the median of each in sets
 * of facts per second (each set against all 50 rules), and the ratio to Leadloom. `ready facts` uses prepared facts;
 * `with factsOf` derives them from message, contact and lead first, as a run does. The other engines skip that step.
 */
import { compileRules, evaluateRules } from "@leadloom/core/domain/rule/CompileRules"
import { factsOf } from "@leadloom/core/domain/rule/Fact"
import { factsOfEngines, ruleSet, sourcesSet } from "./RuleSets.ts"
import { compiledJsonLogic, jsonLogic, jsonRules } from "./RuleEngines.ts"

type Runner = (index: number) => unknown

const [rounds = 5, seconds = 0.6] = process.argv.slice(2).map(Number)
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

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const cases: Readonly<Record<string, Runner>> = {
  ...Object.fromEntries(
    Object.entries(engines).map(([name, engine]) => [name, (index: number) => engine(at(flat, index))])
  ),
  "ours, ready facts": (index) => evaluateRules(compiled, at(ready, index)),
  "ours, with factsOf": (index) => evaluateRules(compiled, factsOf(at(sources, index)))
}

const measure = async (): Promise<ReadonlyMap<string, number>> => {
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

/** The required speed on ready facts, as a multiple of each engine's. */
const aims: Readonly<Record<string, number>> = {
  "json-rules-engine": 200,
  "json-logic-js": 10,
  "json-logic-engine, built": 0.7
}

const wrong = await disagreements()
if (wrong.length > 0) {
  console.log(wrong.slice(0, 10).join("\n"))
  process.exitCode = 1
} else {
  const matches = flat.reduce((sum, _, index) => sum + ours(index).length, 0) / flat.length
  console.log(
    `${rules.length} rules, ${flat.length} sets of facts, ${matches.toFixed(1)} matches each: all engines agree`
  )
  const medians = await measure()
  const own = medians.get("ours, ready facts") ?? 0
  const whole = medians.get("ours, with factsOf") ?? 0
  for (const [name, value] of medians) {
    const aim = aims[name]
    const reported =
      aim === undefined
        ? ""
        : `  ours ${(own / value).toFixed(2)}× (with factsOf ${(whole / value).toFixed(2)}×), aim ${aim}×`
    console.log(`${name.padEnd(26)}${Math.round(value).toLocaleString("en").padStart(12)} sets/s${reported}`)
  }
  const met = Object.entries(aims).every(([name, aim]) => own / (medians.get(name) ?? Infinity) >= aim)
  process.exitCode = met ? 0 : 1
}
