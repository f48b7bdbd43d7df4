import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import type { Comparison, Condition } from "@leadloom/core/internal/domain/rule/Condition"
import { LogicEngine } from "json-logic-engine"
import jsonLogicJs, { type RulesLogic } from "json-logic-js"
import { type ConditionProperties, Engine, type TopLevelCondition } from "json-rules-engine"
import { nameElsewhere } from "./RuleSets.ts"

/** Returns the matching rules in order. */
export type Evaluator = (facts: Record<string, unknown>) => ReadonlyArray<string> | Promise<ReadonlyArray<string>>

const unknown = (what: unknown): Error => new Error(`The other engines have no equivalent of ${JSON.stringify(what)}`)

const operators: Readonly<Record<string, string>> = {
  eq: "equal",
  gte: "greaterThanInclusive",
  lt: "lessThan",
  in: "in",
  contains: "holds"
}

const property = ({ fact, op, value }: Comparison): ConditionProperties => {
  const operator = operators[op]
  if (operator === undefined) throw unknown(op)
  return { fact: nameElsewhere(fact), operator, value }
}

const nested = (condition: Condition): ConditionProperties | TopLevelCondition => {
  if ("all" in condition) return { all: condition.all.map(nested) }
  if ("any" in condition) return { any: condition.any.map(nested) }
  if ("not" in condition) throw unknown(condition)
  return property(condition)
}

const conditionsOf = (rule: Rule): TopLevelCondition => {
  if (!("all" in rule.when)) throw unknown(rule.when)
  return { all: rule.when.all.map(nested) }
}

/** json-rules-engine. Its events have no order, so they are sorted. */
export const jsonRules = (rules: ReadonlyArray<Rule>): Evaluator => {
  const engine = new Engine([], { allowUndefinedFacts: true })
  engine.addOperator("holds", (text: string, part: string) => text.includes(part))
  for (const rule of rules) engine.addRule({ conditions: conditionsOf(rule), event: { type: rule.id } })
  return async (facts) => (await engine.run(facts)).events.map(({ type }) => type).toSorted()
}

const comparison = ({ fact, op, value }: Comparison): RulesLogic => {
  const variable = { var: nameElsewhere(fact) }
  if (op === "in" && Array.isArray(value)) return { in: [variable, value.map(String)] }
  if (op === "contains") return { in: [String(value), variable] }
  const plain = typeof value === "number" ? value : String(value)
  if (op === "eq") return { "===": [variable, plain] }
  if (op === "gte") return { ">=": [variable, plain] }
  if (op === "lt") return { "<": [variable, plain] }
  throw unknown(op)
}

const logicOf = (condition: Condition): RulesLogic => {
  if ("all" in condition) return { and: condition.all.map(logicOf) }
  if ("any" in condition) return { or: condition.any.map(logicOf) }
  if ("not" in condition) throw unknown(condition)
  return comparison(condition)
}

/** Tests one rule after another. */
const each =
  <Test>(
    tests: ReadonlyArray<{ readonly id: string; readonly test: Test }>,
    holds: (test: Test, facts: unknown) => unknown
  ): Evaluator =>
  (facts) => {
    const matched: Array<string> = []
    for (const { id, test } of tests) if (holds(test, facts) === true) matched.push(id)
    return matched
  }

/** json-logic-js, which interprets the rule each time. */
export const jsonLogic = (rules: ReadonlyArray<Rule>): Evaluator =>
  each(
    rules.map(({ id, when }) => ({ id, test: logicOf(when) })),
    (test, facts) => jsonLogicJs.apply(test, facts)
  )

/** json-logic-engine, which compiles its rules to functions. */
export const compiledJsonLogic = (rules: ReadonlyArray<Rule>): Evaluator => {
  const engine = new LogicEngine()
  return each(
    rules.map(({ id, when }) => ({ id, test: engine.build(logicOf(when)) })),
    (test, facts) => test(facts)
  )
}
